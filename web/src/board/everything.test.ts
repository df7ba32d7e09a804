// @vitest-environment happy-dom
// One board with everything that can be drawn, kept beside this test: how things look changes only on purpose.
// After a change that is meant: `npx vitest run --update src/board/everything.test.ts`, and look at the difference.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { close, stage, target } from "../test/stage";
import type { Cell, Kind, MarkKind, Part, Piece, Scene, Shape, Tint, Words } from "../wire.gen";
import Board from "./Board.svelte";
import { BORN, FADE, TURN_IN, TURN_OUT } from "./motion";

const shapes: Shape[] = ["square", "hollow", "slot", "card"];
const kinds: Kind[] = ["cup", "peg", "dome", "turned", "bucket", "card", "back"];
const marks: MarkKind[] = ["from", "to", "path", "danger"];
const red: Tint = { name: "red", letter: "R", shape: "●", fill: "#c9412f", ink: "#ffffff", words: ["tint.red"] };
const name: Words = ["seat.red"];

const cells: Cell[] = [
  ...shapes.flatMap((shape, row) => ["", "red"].map((tint, x): Cell => ({ spot: `${shape}${x}`, x, y: 1.5 * row, name, label: `${row}${x}`, shape, tint }))),
  ...shapes.flatMap((shape, row) => marks.map((mark, x): Cell => ({ spot: `${shape}-${mark}`, x: 2 + x, y: 1.5 * row, name, shape }))),
  ...kinds.map((kind, x): Cell => ({ spot: kind, x, y: 7, name, shape: "hollow" })),
];
const part: Part = {
  id: "board",
  cells,
  outlines: [[[-1.5, -1.2], [7, -1.2], [7, 8.5]]],
  labels: [{ x: -1, y: 2, text: "c" }, { x: 3, y: 8, text: "Ada", kind: "name" }, { x: 4, y: 8, text: "3", kind: "count" }],
};
const pieces: Piece[] = [
  ...kinds.map((kind): Piece => ({ spot: kind, kind, tint: kind === "back" ? "" : "red", text: kind === "card" ? "7" : "" })),
  { spot: "square0", kind: "cup", tint: "red", level: 0 },
  { spot: "square0", kind: "cup", tint: "red", level: 1 },
];

const scene: Pick<Scene, "title" | "parts" | "tints"> = { title: ["jumping-cups.title"], parts: [{ ...part, pieces }], tints: [red] };

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
});
afterEach(async () => {
  await close();
  vi.unstubAllGlobals();
});

/** The markup without what differs from build to build, one element a line. */
const drawn = () => target.innerHTML.replace(/<!--.*?-->/g, "").replace(/ ?svelte-\w+/g, "").replaceAll(/\bc\d+-/g, "u-").replaceAll("><", ">\n<").trim() + "\n";

test("everything is drawn as it was", async () => {
  const next = new Set(["square1", "hollow1", "card1", "peg"]);
  stage(Board, { scene: { ...scene, marks: shapes.flatMap((shape) => marks.map((kind) => ({ kind, spot: `${shape}-${kind}` }))) }, next, path: ["cup", "dome"], hinted: ["square1", "card0"] });
  await expect(drawn()).toMatchFileSnapshot("./everything.html");
});

test("with a piece in the hand everything is drawn as it was", async () => {
  const next = new Set(["square1", "hollow1", "card1", "peg"]);
  stage(Board, { scene, next, picked: ["cup"] });
  await expect(drawn()).toMatchFileSnapshot("./everything-taken.html");
});

test("a stone that turns over is seen edge-on, and others come and go", () => {
  stage(Board, { scene });
  const at = (frames: Keyframe[]) => frames.map(({ offset, transform, opacity }) => [offset, transform, opacity]);
  expect(at(TURN_OUT)).toEqual([
    [0, "scaleX(1)", 1], [0.6, "scaleX(1)", 1], [0.8, "scaleX(0.05)", 1], [0.801, "scaleX(0.05)", 0], [1, "scaleX(0.05)", 0],
  ]);
  expect(at(TURN_IN)).toEqual([[0, "scaleX(0.05)", 0], [0.799, "scaleX(0.05)", 0], [0.8, "scaleX(0.05)", 1], [1, "scaleX(1)", 1]]);
  expect([at(BORN), at(FADE)]).toEqual([[[undefined, "translate(0, -28px)", 0], [undefined, "none", 1]], [[undefined, undefined, 1], [undefined, undefined, 0]]]);
});
