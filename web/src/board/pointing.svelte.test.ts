// @vitest-environment happy-dom
import { flushSync, tick } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { close, stage, target } from "../test/stage";
import { demo } from "../test/demos";
import type { Cell, Mark, Part, Piece, Scene, Words } from "../wire.gen";
import Board from "./Board.svelte";
import { UNIT } from "./paint";

const place = (spot: string, x: number, y = 0, shape?: Cell["shape"]): Cell => ({ spot, x, y, name: ["double-dutch.cell", { cell: spot }] as Words, ...(shape ? { shape } : {}) });
const row = (...cells: Cell[]): Part => ({ id: "board", cells });
/** A scene of one part with these pieces on it. */
const scene = (part: Part, pieces: Piece[], marks: Mark[] = []): Scene => ({
  title: ["jumping-cups.title"],
  status: ["seat.red"],
  parts: [{ ...part, pieces }],
  players: [],
  marks,
  tints: [{ name: "red", letter: "R", shape: "●", fill: "#ff0000", ink: "#ffffff", words: ["tint.red"] }],
});
const line = row(...["a", "b", "c", "d"].map((spot, i) => place(spot, i)));
const star = { ...demo("chinese-checkers")[0]!.scene.parts[0], labels: [] } as unknown as Part & { cells: Cell[] };
const cup = (spot: string, level = 0): Piece => ({ spot, kind: "cup", tint: "red", level });

let picked: string[];
let dropped: number;
/** How many pixels a unit of the board takes on the screen, and where its origin is. */
let unit: number;

type Props = Record<string, unknown>;
function show({ pieces = [cup("a"), cup("b")], marks, ...props }: Props & { pieces?: Piece[]; marks?: Mark[] } = {}, part: Part = line) {
  const all: Props = $state({ scene: scene(part, pieces, marks), onpick: (spot: string) => picked.push(spot), ondrop: () => dropped++, ...props });
  stage(Board, all);
  const svg = target.querySelector("svg")!;
  svg.setPointerCapture = () => {};
  const matrix = (scale: number) => ({ a: scale, inverse: () => scale });
  svg.getScreenCTM = () => matrix(unit / UNIT) as never;
  target.querySelector<SVGGElement>(".zoom")!.getScreenCTM = () => matrix(unit / UNIT) as never;
  return all;
}
const svg = () => target.querySelector("svg")!;
const spot = (name: string) => target.querySelector<SVGElement>(`[data-spot="${name}"]`)!;
const point = (kind: string, x: number, y: number, more: Props = {}) =>
  svg().dispatchEvent(Object.assign(new Event(kind, { bubbles: true }), { clientX: x * unit, clientY: y * unit, pointerId: 1, button: 0, pointerType: "mouse", ...more }));
async function tap(x: number, y = 0, more: Props = {}) {
  point("pointerdown", x, y, more);
  point("pointerup", x, y, more);
  await tick();
  flushSync();
}
function press(key: string, more: Props = {}) {
  const event = Object.assign(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }), {});
  for (const [name, value] of Object.entries(more)) Object.defineProperty(event, name, { value });
  svg().dispatchEvent(event);
  return event;
}

beforeEach(() => {
  vi.stubGlobal(
    "DOMPoint",
    class {
      constructor(readonly x: number, readonly y: number) {}
      matrixTransform(scale: number) {
        return { x: this.x / scale, y: this.y / scale };
      }
    },
  );
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  [picked, dropped, unit] = [[], 0, 56];
});
afterEach(async () => {
  await close();
  vi.unstubAllGlobals();
});

describe("what a board says", () => {
  const label = (name: string) => spot(name).getAttribute("aria-label");

  test("what stands where, from the top, and what may be done with it", () => {
    const pieces = [cup("a"), { ...cup("b", 1), tint: "red" }, { spot: "b", kind: "peg", tint: "", level: 0 } as Piece];
    show({ pieces, next: new Set(["b", "c"]) });
    expect(label("c")).toMatch(/empty.*can move|empty/i);
    const plain = label("d");
    expect(label("c")).not.toBe(plain?.replace("d", "c"));
    expect(label("a")).toMatch(/red/i);
    expect(label("b")!.search(/cup/i)).toBeLessThan(label("b")!.search(/peg/i));
    expect(spot("b").getAttribute("aria-disabled")).toBe("false");
    expect(spot("a").getAttribute("aria-disabled")).toBe("true");
  });
  test("with a piece in the hand, places are targets, but a card is taken as well", () => {
    const board = row(place("a", 0), place("b", 1), place("A:R5", 2, 0, "card"));
    show({ next: new Set(["b", "A:R5"]), picked: ["a"] }, board);
    const [taken, goal, card] = ["a", "b", "A:R5"].map(label);
    expect(new Set([taken, goal, card].map((text) => text?.split(", ").at(-1))).size).toBe(3);
    expect(target.querySelectorAll(".taken").length).toBe(1);
  });
  test("a part whose names tell what is there needs no more words; an empty place is empty", () => {
    show({ pieces: [{ spot: "a", kind: "bucket", tint: "red" }] }, { ...row(place("a", 0), place("b", 1)), tells: true });
    expect(label("a")).not.toMatch(/empty/i);
    expect(label("b")).toMatch(/empty/i);
  });
  test("a piece that comes from another part is said, although the place's own part tells what is its own", () => {
    const places = { ...row(place("a", 0), place("b", 1)), tells: true };
    const put: Part = { id: "arrangement", pieces: [{ spot: "a", kind: "bucket", tint: "red" }] };
    const before = scene(places, []);
    stage(Board, { scene: { ...before, parts: [...before.parts, put] } });
    expect(label("a")).toMatch(/red/i);
    expect(label("b")).toMatch(/empty/i);
  });
  test("a picture only says its name and holds no buttons", () => {
    show({ still: true });
    expect([svg().getAttribute("role"), target.querySelectorAll("[role=button]").length]).toEqual(["img", 0]);
    press("Enter");
    point("pointerdown", 0, 0);
    point("pointerup", 0, 0);
    expect(picked).toEqual([]);
  });
  test("one place can be reached by the keyboard: the first that may be picked, else the first", () => {
    show({ next: new Set(["c"]) });
    const reachable = () => [...target.querySelectorAll("[tabindex='0']")].map((one) => one.getAttribute("data-spot"));
    expect(reachable()).toEqual(["c"]);
    spot("b").dispatchEvent(new Event("focus"));
    flushSync();
    expect(reachable()).toEqual(["b"]);
  });
  test("without anything to pick the first place can be reached", () => {
    show();
    expect(spot("a").getAttribute("tabindex")).toBe("0");
  });
});

describe("what a board shows", () => {
  test("marks and the way of the last move", () => {
    show({ pieces: [cup("a")], marks: [{ kind: "from", spot: "a" }, { kind: "to", spot: "c" }], path: ["a", "nowhere", "c"] });
    expect(target.querySelector(".way")?.getAttribute("points")).toBe(`0,0 ${2 * UNIT},0`);
    const mark = target.querySelector(".mark.to")!;
    expect(["x", "y", "width", "rx"].map((name) => Number(mark.getAttribute(name)))).toEqual([2 * UNIT - 0.42 * UNIT, -0.42 * UNIT, 0.84 * UNIT, 0.42 * UNIT]);
  });
  test("no way without marks", () => {
    show({ path: ["a", "b"] });
    expect(target.querySelector(".way")).toBe(null);
  });
  test("marks fit the shape they stand around", () => {
    const board = row(place("a", 0, 0, "square"), place("b", 1, 0, "card"));
    show({ pieces: [], marks: [{ kind: "from", spot: "a" }, { kind: "to", spot: "b" }] }, board);
    const size = (kind: string) => ["width", "height", "rx"].map((name) => Math.round(Number(target.querySelector(`.mark.${kind}`)!.getAttribute(name))));
    expect([size("from"), size("to")], "where it came from is smaller").toEqual([[31, 31, 4], [45, 62, 8]]);
  });
  test("what may be picked, and where to go, differently", () => {
    show({ next: new Set(["a", "c"]) });
    expect([target.querySelectorAll(".movable").length, target.querySelectorAll(".target.dot").length]).toEqual([1, 1]);
    expect(svg().classList.contains("busy")).toBe(true);
  });
  test("a hint", () => {
    show({ hinted: ["b"] });
    expect(target.querySelectorAll(".hint").length).toBe(1);
    expect(svg().classList.contains("busy")).toBe(false);
  });
  test("the whole board with a little air, or tightly", () => {
    show();
    expect(svg().getAttribute("viewBox")).toBe([-0.6, -0.6, 4.2, 1.2].map((value) => (value * UNIT).toFixed(1)).join(" "));
  });
  test("tightly", () => {
    show({ tight: true });
    expect(svg().getAttribute("viewBox")).toBe([-0.5, -0.5, 4, 1].map((value) => (value * UNIT).toFixed(1)).join(" "));
  });
  test("the spot of a stack reaches as high as the stack", () => {
    show({ pieces: [cup("a"), cup("a", 1), cup("a", 2)] });
    expect(Number(spot("a").getAttribute("height")) / UNIT).toBeCloseTo(1.54);
    expect(Number(spot("b").getAttribute("height")) / UNIT).toBe(1);
    expect(Number(spot("a").getAttribute("y")) / UNIT).toBeCloseTo(-1.04);
  });
});

describe("pointing", () => {
  test("a tap picks the place under it, and one beside everything drops", async () => {
    show({ next: new Set(["a"]) });
    await tap(0.1);
    await tap(2.2);
    expect([picked, dropped]).toEqual([["a", "c"], 0]);
    await tap(9, 9);
    expect([picked.length, dropped]).toEqual([2, 1]);
  });
  test("a place that may be picked is easier to hit than its neighbour", async () => {
    unit = 40;
    show({ next: new Set(["a"]) });
    await tap(0.54);
    await tap(0.56);
    expect(picked).toEqual(["a", "b"]);
  });
  test("the top of a stack belongs to it", async () => {
    show({ pieces: [cup("a"), cup("a", 1), cup("a", 2), cup("a", 3)] });
    await tap(0, -1.2);
    await tap(1, -0.7);
    expect([picked, dropped]).toEqual([["a"], 1]);
  });
  test("another button or another finger does nothing", async () => {
    show();
    await tap(0, 0, { button: 2 });
    point("pointerdown", 0, 0);
    point("pointerup", 0, 0, { pointerId: 2 });
    expect(picked).toEqual([]);
    point("pointerup", 0, 0);
    expect(picked).toEqual(["a"]);
    point("pointerup", 0, 0);
    expect(picked).toEqual(["a"]);
  });
  test("a screen reader's click picks, a mouse's does not pick twice", () => {
    show();
    spot("b").dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true }));
    expect(picked).toEqual([]);
    spot("b").dispatchEvent(new MouseEvent("click", { detail: 0, bubbles: true }));
    expect(picked).toEqual(["b"]);
  });
});

describe("carrying", () => {
  const carried = () => [...target.querySelectorAll("[data-piece]")].map((one) => one.getAttribute("transform"));

  test("a piece follows the pointer and is put where it is let go", () => {
    show({ next: new Set(["a", "c"]) });
    point("pointerdown", 0, 0);
    point("pointermove", 6.9 / unit, 0);
    expect(picked).toEqual([]);
    point("pointermove", 1, 0.5);
    flushSync();
    expect(picked).toEqual(["a"]);
    expect(carried()).toContain(`translate(${UNIT} ${0.5 * UNIT})`);
    point("pointermove", 1.9, 0);
    expect(picked).toEqual(["a"]);
    point("pointerup", 1.9, 0);
    flushSync();
    expect([picked, dropped]).toEqual([["a", "c"], 0]);
    expect(carried()).toContain("translate(0 0)");
  });
  test("let go where it cannot be, it goes back", () => {
    show({ next: new Set(["a", "c"]), picked: ["a"] });
    point("pointerdown", 0, 0);
    point("pointermove", 1, 0);
    point("pointerup", 1, 0);
    expect([picked, dropped]).toEqual([[], 1]);
    point("pointerdown", 0, 0);
    point("pointermove", 1, 0);
    point("pointerup", 0.1, 0);
    expect([picked, dropped]).toEqual([[], 2]);
  });
  test("what cannot move is not carried, and a drag is no tap", () => {
    show({ next: new Set(["c"]) });
    point("pointerdown", 1, 0);
    point("pointermove", 2, 0);
    point("pointerup", 2, 0);
    point("pointerdown", 2, 0);
    point("pointermove", 1, 0);
    point("pointerup", 1, 0);
    expect([picked, dropped]).toEqual([[], 0]);
  });
  test("an interrupted drag puts the piece back", () => {
    show({ next: new Set(["a"]) });
    point("pointerdown", 0, 0);
    svg().dispatchEvent(new Event("pointercancel"));
    expect(dropped).toBe(0);
    point("pointerup", 0, 0);
    expect(picked).toEqual([]);
    point("pointerdown", 0, 0);
    point("pointermove", 1, 0);
    svg().dispatchEvent(new Event("pointercancel"));
    expect(dropped).toBe(1);
  });
});

describe("a finger on a small screen", () => {
  const finger = { pointerType: "touch" };
  const zoom = () => target.querySelector<SVGGElement>(".zoom")!.style.transform;
  const board = star;
  const at = (name: string) => board.cells.find((cell) => cell.spot === name)!;
  const [from, near, far] = [board.cells[0]!.spot, board.cells[1]!.spot, board.cells.at(-1)!.spot];

  const beside = board.cells[2]!.spot;
  /** Places that are close together, to any of which a move would go. */
  const crowd = { next: new Set([near, beside]), last: new Set([near, beside]) };
  /** Taking up a piece that may go to these places. */
  const take = (props: Props, ...goals: string[]) => () => {
    [props["picked"], props["next"], props["last"]] = [[from], new Set(goals), new Set(goals)];
    flushSync();
  };

  test("takes a piece at once, and comes nearer when the places where it may go are close together", async () => {
    unit = 20;
    const props = show({ next: new Set([from]) }, board);
    props["onpick"] = take(props, near, beside);
    await tap(at(from).x, at(from).y, finger);
    await tick();
    expect(zoom()).toMatch(/scale\(2\.4\)/);
    [props["picked"], props["next"]] = [[], new Set([from])];
    flushSync();
    expect(zoom(), "when it is let go of, the whole board is back").toBe("none");
    props["onpick"] = take(props, near, far);
    await tap(at(from).x, at(from).y, finger);
    await tick();
    expect(zoom()).toBe("none");
  });
  test("does not make a move where it might hit another place", async () => {
    unit = 20;
    show({ ...crowd, picked: [from] }, board);
    await tap(at(near).x, at(near).y, finger);
    expect([picked, zoom()]).toEqual([[], expect.stringMatching(/scale/)]);
    await tap(at(near).x, at(near).y, finger);
    expect(picked).toEqual([near]);
  });
  test.each([
    ["a mouse", 20, { pointerType: "mouse" }, crowd],
    ["a finger where places are large", 43, finger, crowd],
    ["a finger that can hit only one", 20, finger, { next: new Set([near, far]), last: new Set([near, far]) }],
  ])("%s picks at once", async (_, size, how, props) => {
    unit = size;
    show({ ...props, picked: [from] }, board);
    await tap(at(near).x, at(near).y, how);
    expect([picked, zoom()]).toEqual([[near], "none"]);
  });
  test("the nearer picture stays within the frame, can be dragged, and goes with the turn", async () => {
    unit = 20;
    const props = show(crowd, board);
    await tap(at(near).x, at(near).y, finger);
    const first = zoom();
    point("pointerdown", 0, 3, finger);
    point("pointermove", 2, -4, finger);
    flushSync();
    expect(zoom()).not.toBe(first);
    point("pointerup", 2, -4, finger);
    expect(picked).toEqual([]);
    props["next"] = new Set();
    flushSync();
    expect(zoom()).toBe("none");
  });
  test("a button leads back to the whole board", async () => {
    unit = 20;
    show(crowd, board);
    expect(target.querySelector(".far")).toBe(null);
    await tap(at(near).x, at(near).y, finger);
    target.querySelector<HTMLButtonElement>(".far")!.click();
    flushSync();
    expect([zoom(), target.querySelector(".far")]).toEqual(["none", null]);
  });
  test("two fingers bring the board nearer, and it stays so until they or the button take it back", async () => {
    unit = 20;
    const props = show({ next: new Set([from]) }, board);
    const second = { ...finger, pointerId: 2 };
    const spread = (begin: number, end: number) => {
      point("pointerdown", 0, 0, finger);
      point("pointerdown", begin, 0, second);
      point("pointermove", end, 0, second);
      point("pointerup", 0, 0, finger);
      point("pointerup", end, 0, second);
      flushSync();
    };
    spread(1, 3);
    expect([zoom(), picked]).toEqual([expect.stringMatching(/scale\(3\)/), []]);
    props["picked"] = [from];
    flushSync();
    props["picked"] = [];
    flushSync();
    expect(zoom()).toMatch(/scale\(3\)/);
    spread(3, 0.9);
    expect(zoom()).toBe("none");
  });
  test("a touch beside everything goes back to the whole", async () => {
    unit = 20;
    show(crowd, board);
    await tap(at(near).x, at(near).y, finger);
    expect(zoom()).not.toBe("none");
    await tap(99, 99, finger);
    expect([dropped, zoom()]).toEqual([1, "none"]);
  });
  /** What is in the middle of the frame, in units of the board. */
  const middle = () => {
    const [tx, ty, scale] = zoom().match(/-?[\d.]+(?:e-?\d+)?/g)!.map(Number) as [number, number, number];
    const [left, top, width, height] = svg().getAttribute("viewBox")!.split(" ").map((value) => Number(value) / UNIT) as [number, number, number, number];
    const at = (value: number) => Math.round(100 * value) / 100 + 0;
    return { x: at((left + width / 2 - tx / UNIT) / scale), y: at((top + height / 2 - ty / UNIT) / scale), scale };
  };
  const center = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  const [cx, cy] = [center(board.cells.map((cell) => cell.x)) + 1, center(board.cells.map((cell) => cell.y)) + 1];
  const inside = board.cells.reduce((best, cell) => (Math.hypot(cell.x - cx, cell.y - cy) < Math.hypot(best.x - cx, best.y - cy) ? cell : best));
  const close = board.cells.find((cell) => cell.y === inside.y && Math.abs(cell.x - inside.x - 1) < 0.01)!;

  test("what was touched comes to the middle, but nothing beside the board is shown", async () => {
    unit = 20;
    show({ next: new Set([inside.spot, close.spot]), last: new Set([inside.spot, close.spot]) }, board);
    await tap(inside.x, inside.y, finger);
    expect(middle()).toEqual({ x: inside.x, y: Math.round(100 * inside.y) / 100, scale: 2.4 });
    point("pointerdown", 0, 0, finger);
    point("pointermove", 99, 99, finger);
    flushSync();
    const [left, top, width, height] = svg().getAttribute("viewBox")!.split(" ").map((value) => Number(value) / UNIT) as [number, number, number, number];
    expect(middle().x).toBeCloseTo(left + width / 4.8, 1);
    expect(middle().y).toBeCloseTo(top + height / 4.8, 1);
    point("pointermove", -99, -99, finger);
    flushSync();
    expect(middle().x).toBeCloseTo(left + width - width / 4.8, 1);
    expect(middle().y).toBeCloseTo(top + height - height / 4.8, 1);
  });
  test("a drag moves the picture as far as the finger", async () => {
    unit = 20;
    show({ next: new Set([inside.spot, close.spot]), last: new Set([inside.spot, close.spot]) }, board);
    await tap(inside.x, inside.y, finger);
    const before = middle();
    point("pointerdown", 0, 3, finger);
    point("pointermove", 0.5, 3.25, finger);
    point("pointermove", 0.6, 3.25, finger);
    flushSync();
    expect([before.x - middle().x, before.y - middle().y].map((value) => Math.round(100 * value) / 100)).toEqual([0.6, 0.25]);
  });
  test("once a piece is taken, the middle is that of all its targets, or the piece when they are too far apart", async () => {
    unit = 20;
    const props = show({ next: new Set([inside.spot]) }, board);
    const next = board.cells.find((cell) => cell.y === inside.y && Math.abs(cell.x - inside.x - 2) < 0.01)!;
    const taking = (...targets: string[]) => () => {
      [props["picked"], props["next"], props["last"]] = [[inside.spot], new Set(targets), new Set(targets)];
      flushSync();
    };
    props["onpick"] = taking(close.spot, next.spot);
    await tap(inside.x, inside.y, finger);
    await tick();
    flushSync();
    expect(middle()).toMatchObject({ x: inside.x + 1, scale: 2.4 });
    props["onpick"] = taking(close.spot, far, board.cells[0]!.spot);
    await tap(inside.x, inside.y, finger);
    await tick();
    flushSync();
    expect(middle()).toMatchObject({ x: inside.x, scale: 2.4 });
  });
  test("a piece that was not taken moves nothing", async () => {
    unit = 20;
    show({ next: new Set([inside.spot, close.spot]), last: new Set([inside.spot, close.spot]) }, board);
    await tap(inside.x, inside.y, finger);
    await tick();
    flushSync();
    const before = middle();
    await tap(close.x, close.y, finger);
    await tick();
    flushSync();
    expect([picked, middle()]).toEqual([[close.spot], before]);
  });
  test("a drag holds on to the pointer", () => {
    show({ next: new Set([from]) }, board);
    const held = vi.fn();
    svg().setPointerCapture = held;
    point("pointerdown", at(from).x, at(from).y);
    point("pointermove", at(from).x + 1, at(from).y);
    point("pointermove", at(from).x + 2, at(from).y);
    expect(held.mock.calls).toEqual([[1]]);
  });
});

describe("the way ahead", () => {
  const wayTo = (spot: string) => ({ c: ["a", "b", "c"], b: ["a", "b"] })[spot] ?? [];
  const drawn = () => target.querySelector(".ahead.aim .line")?.getAttribute("points");
  const landings = () => target.querySelectorAll(".ahead .landing").length;

  test("is drawn to the place that the mouse is over, with its landings and an arrow", () => {
    show({ next: new Set(["b", "c"]), picked: ["a"], wayTo });
    expect(drawn()).toBe(undefined);
    point("pointermove", 2, 0);
    flushSync();
    expect([drawn(), landings()]).toEqual([`0.0,0.0 ${UNIT}.0,0.0 ${2 * UNIT - 11}.0,0.0`, 1]);
    svg().dispatchEvent(new Event("pointerleave"));
    flushSync();
    expect(drawn()).toBe(undefined);
  });
  test("is drawn to the only place where a piece can go, and to where the keyboard is", async () => {
    const props = show({ next: new Set(["c"]), picked: ["a"], wayTo });
    expect(landings()).toBe(1);
    props["next"] = new Set(["b", "c"]);
    flushSync();
    expect(landings(), "two ways: none is meant").toBe(0);
    svg().dispatchEvent(new Event("focusin", { bubbles: true }));
    spot("c").dispatchEvent(new Event("focus"));
    flushSync();
    expect(landings()).toBe(1);
    svg().dispatchEvent(new Event("focusout", { bubbles: true }));
    flushSync();
    expect(landings()).toBe(0);
  });
  test("a piece that waits is shown there, and its place says how to stop", () => {
    show({ pieces: [cup("a")], next: new Set(["b", "c"]), picked: ["a"], rest: "b", wayTo });
    expect(target.querySelector("[data-piece=a]")?.getAttribute("transform")).toBe(`translate(${UNIT} 0)`);
    expect(Number(target.querySelector(".taken")?.getAttribute("x"))).toBeGreaterThan(0);
    expect(spot("b").getAttribute("aria-label")).toMatch(/again to stop/);
    expect(drawn()).toBe(`0.0,0.0 ${UNIT - 11}.0,0.0`);
  });
  test("of a hint is drawn until a piece is taken", () => {
    const props = show({ next: new Set(["a"]), hinted: ["a", "c"], hintedWay: ["a", "b", "c"] });
    const hint = () => target.querySelectorAll(".ahead.hint").length;
    expect([hint(), landings()]).toEqual([1, 1]);
    props["picked"] = ["a"];
    flushSync();
    expect(hint()).toBe(0);
  });
});

describe("keys", () => {
  const focused = () => target.querySelector("[tabindex='0']")?.getAttribute("data-spot");
  const after = async (...keys: string[]) => {
    for (const key of keys) {
      press(key);
      await tick();
      flushSync();
    }
    return focused();
  };

  test("Enter and the blank pick, Escape drops", () => {
    show({ next: new Set(["b"]) });
    expect([press("Enter").defaultPrevented, press(" ").defaultPrevented]).toEqual([true, true]);
    press("Escape");
    expect([picked, dropped]).toEqual([["b", "b"], 1]);
  });
  test("arrows go from place to place and stay at the border", async () => {
    show();
    expect(await after("ArrowRight")).toBe("b");
    expect(await after("ArrowRight", "ArrowRight", "ArrowRight")).toBe("d");
    expect(await after("ArrowLeft")).toBe("c");
    expect([press("ArrowUp").defaultPrevented, press("x").defaultPrevented]).toEqual([true, false]);
  });
  test("after a click, left and right are not the board's, until the keyboard comes back to it", async () => {
    show({ next: new Set(["a"]) });
    await tap(0);
    expect([press("ArrowRight").defaultPrevented, press("ArrowLeft").defaultPrevented, picked]).toEqual([false, false, ["a"]]);
    expect(press("ArrowDown").defaultPrevented).toBe(true);
    expect(press("ArrowRight").defaultPrevented).toBe(true);
    await tap(0);
    dispatchEvent(new KeyboardEvent("keydown", { key: "Tab" }));
    expect(press("ArrowRight").defaultPrevented).toBe(true);
    expect(press("ArrowRight", { shiftKey: true }).defaultPrevented, "with Shift they are never the board's").toBe(false);
  });
  test("n and p go round among what may be picked", async () => {
    show({ next: new Set(["b", "d"]) });
    expect(focused()).toBe("b");
    expect(await after("n")).toBe("d");
    expect(await after("n")).toBe("b");
    expect(await after("p")).toBe("d");
    expect(await after("p")).toBe("b");
    expect(await after("ArrowLeft", "p")).toBe("d");
    expect(await after("ArrowLeft", "n")).toBe("b");
  });
  test("with nothing to pick, n and p stay", async () => {
    show();
    expect(await after("ArrowRight", "n", "p")).toBe("b");
  });
  test.each(["altKey", "ctrlKey", "metaKey"])("with %s they are the browser's", (key) => {
    show({ next: new Set(["b"]) });
    press("Enter", { [key]: true });
    expect(picked).toEqual([]);
  });
  test("up and down keep their column on the star", async () => {
    const board = star;
    show({}, board);
    const first = board.cells[0]!;
    await after("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown");
    const here = board.cells.find((cell) => cell.spot === focused())!;
    expect(here.x).toBeCloseTo(first.x);
    await after("ArrowRight", "ArrowDown", "ArrowDown");
    const there = board.cells.find((cell) => cell.spot === focused())!;
    expect(there.x).toBeCloseTo(here.x + 1);
  });
});
