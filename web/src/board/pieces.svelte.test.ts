// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { close, stage, target } from "../test/stage";
import type { Piece, Tint, Words } from "../wire.gen";
import { UNIT } from "./paint";
import Pieces from "./Pieces.svelte";

const cells = ["a", "b", "c", "d"].map((spot, i) => ({ spot, x: i, y: spot === "d" ? 1 : 0, name: ["seat.red"] as Words }));
const cup = (spot: string, level = 0, tint = "red"): Piece => ({ spot, kind: "cup", tint, level });

interface Played {
  node: Element;
  frames: Keyframe[];
  ms: number;
  finish: () => void;
  cancelled: boolean;
}
let played: Played[];
let calm: boolean;

function show(pieces: Piece[], more: Record<string, unknown> = {}) {
  const props: Record<string, unknown> = $state({ cells, pieces, tints: new Map<string, Tint>(), uid: "u", path: [], ...more });
  stage(Pieces, props);
  return props;
}
const shown = () => [...target.querySelectorAll("[data-piece]")].map((one) => [one.getAttribute("data-piece"), one.getAttribute("transform")]);
const settle = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
  flushSync();
};
const ends = (one: Played) => one.frames.map((frame) => frame["transform"]);

beforeEach(() => {
  [played, calm] = [[], false];
  vi.stubGlobal("matchMedia", () => ({ matches: calm }));
  Element.prototype.animate = function (frames: unknown, options: unknown) {
    const one: Played = { node: this, frames: frames as Keyframe[], ms: (options as { duration: number }).duration, finish: () => {}, cancelled: false };
    const finished = new Promise<void>((done) => (one.finish = done));
    played.push(one);
    return { finished, cancel: () => (one.cancelled = true) } as unknown as Animation;
  };
});
afterEach(async () => {
  await close();
  vi.unstubAllGlobals();
});

test("pieces stand in their places, the upper ones of a stack higher and drawn later", () => {
  show([cup("b", 1), cup("d"), cup("b"), cup("a"), cup("nowhere")]);
  expect(shown()).toEqual([
    ["b", `translate(${UNIT} 0)`],
    ["a", "translate(0 0)"],
    ["b", `translate(${UNIT} ${-0.27 * UNIT})`],
    ["d", `translate(${3 * UNIT} ${UNIT})`],
  ]);
});

test("upper buckets stand before the lower ones", () => {
  show([{ spot: "a", kind: "bucket", tint: "red" }, { spot: "d", kind: "bucket", tint: "red" }]);
  expect(shown().map(([spot]) => spot)).toEqual(["d", "a"]);
});

test("the top of a stack that is taken stands a little higher, and in the hand it follows the pointer", () => {
  const props = show([cup("a"), cup("a", 1)], { lifted: ["a"] });
  expect(shown().map(([, where]) => where)).toEqual(["translate(0 0)", `translate(0 ${-0.27 * UNIT - 8})`]);
  props["carried"] = { spot: "a", dx: 10, dy: 20 };
  flushSync();
  expect(shown().map(([, where]) => where)).toEqual(["translate(0 0)", `translate(10 ${-0.27 * UNIT + 20})`]);
});

test("a move travels along its path, drawn above the rest until it has landed", async () => {
  const props = show([cup("a"), cup("d", 0, "blue")]);
  expect(played).toEqual([]);
  props["path"] = ["a", "b", "c"];
  props["pieces"] = [cup("c"), cup("d", 0, "blue")];
  flushSync();
  await settle();
  expect(shown().map(([spot]) => spot)).toEqual(["d", "c"]);
  const [trip] = played;
  expect([played.length, trip?.ms]).toEqual([1, 265]);
  expect([ends(trip!)[0], ends(trip!)[2], ends(trip!).at(-1)]).toEqual([`translate(${-2 * UNIT}px, 0px)`, `translate(${-UNIT}px, 0px)`, "translate(0px, 0px)"]);
  expect(trip!.cancelled).toBe(false);
  trip!.finish();
  await settle();
  expect(trip!.cancelled).toBe(true);
  expect(shown().map(([spot]) => spot)).toEqual(["c", "d"]);
});

test("a hop over a stack goes over its top, and from and to the right heights", async () => {
  const props = show([cup("a"), cup("a", 1), cup("b"), cup("b", 1, "blue")]);
  props["path"] = ["a", "b", "c"];
  props["pieces"] = [cup("a"), cup("b"), cup("b", 1, "blue"), cup("c")];
  flushSync();
  await settle();
  const at = (x: number, level: number) => `translate(${x * UNIT}px, ${-level * 0.27 * UNIT}px)`;
  expect([ends(played[0]!)[0], ends(played[0]!)[2], ends(played[0]!)[4]]).toEqual([at(-2, 1), at(-1, 2), "translate(0px, 0px)"]);
});

test("a stone that turns over at the end shows both faces on the way", async () => {
  const props = show([{ spot: "a", kind: "dome", tint: "red" }]);
  props["path"] = ["a", "b"];
  props["pieces"] = [{ spot: "b", kind: "turned", tint: "red" }];
  flushSync();
  await settle();
  expect(played.map((one) => [one.node.getAttribute("class")?.split(" ")[0], one.ms])).toEqual([["trip", 220], ["was", 220], ["is", 220]]);
  played.forEach((one) => one.finish());
  await settle();
  expect(target.querySelector(".was")).toBe(null);
});

test("new pieces come from above, fallen buckets fall to either side, and what is gone is gone in the end", async () => {
  const bucket = (spot: string): Piece => ({ spot, kind: "bucket", tint: "red" });
  const props = show([bucket("a"), bucket("b"), cup("c")]);
  props["pieces"] = [{ spot: "d", kind: "peg", tint: "green" }];
  flushSync();
  await settle();
  expect(played.map((one) => one.ms)).toEqual([260, 320, 320, 320]);
  expect(played[0]!.frames[0]).toEqual({ transform: `translate(0, ${-0.5 * UNIT}px)`, opacity: 0 });
  expect(played.slice(1, 3).map((one) => one.frames[1]!["transform"])).toEqual([
    `translate(-30px, ${1.4 * UNIT}px) rotate(-110deg)`,
    `translate(30px, ${1.4 * UNIT}px) rotate(110deg)`,
  ]);
  expect(played[3]!.frames).toEqual([{ opacity: 1 }, { opacity: 0 }]);
  expect(target.querySelectorAll(".trip").length).toBe(4);
  played.forEach((one) => one.finish());
  await settle();
  expect(target.querySelectorAll(".trip").length).toBe(1);
});

test("a card that has left the board with its place is still seen to go", async () => {
  const props = show([{ spot: "a", kind: "card", tint: "red", text: "5" }]);
  props["cells"] = cells.slice(1);
  props["pieces"] = [{ spot: "b", kind: "card", tint: "red", text: "5" }];
  flushSync();
  await settle();
  expect(ends(played[0]!)[0]).toBe(`translate(${-UNIT}px, 0px)`);
});

test("the next move does not wait for the landing of the one before, which then counts no more", async () => {
  const props = show([cup("a"), cup("d", 0, "blue")]);
  const move = async (from: string, to: string) => {
    props["path"] = [from, to];
    props["pieces"] = [cup(to), cup("d", 0, "blue")];
    flushSync();
    await settle();
  };
  const onTop = () => shown().at(-1)?.[0];
  await move("a", "b");
  await move("b", "c");
  played[0]!.finish();
  await settle();
  expect(onTop()).toBe("c");
  played[1]!.finish();
  await settle();
  expect(onTop()).toBe("d");
});

test("nothing is animated when nothing changed, or for those who want calm", async () => {
  const props = show([cup("a")]);
  props["pieces"] = [cup("a")];
  flushSync();
  await settle();
  expect(played).toEqual([]);
  calm = true;
  props["pieces"] = [cup("c")];
  flushSync();
  await settle();
  expect([played, shown()]).toEqual([[], [["c", `translate(${2 * UNIT} 0)`]]]);
});
