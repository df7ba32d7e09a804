import { describe, expect, test } from "vitest";
import type { Cell, Label, Piece, Words } from "../wire.gen";
import { bounds, fold, nearest, rise, stacks, step } from "./geometry";
import { duration, fall, keyframes } from "./motion";
import { cone, dark, light, mix, UNIT } from "./paint";
import { follow, place } from "./route";
import type { Sheet } from "./scene";

const cell = (spot: string, x: number, y: number, shape?: Cell["shape"]): Cell => ({ spot, x, y, name: ["seat.red"] as Words, ...(shape ? { shape } : {}) });
const board = (cells: Cell[], outlines: [number, number][][] = [], labels: Label[] = []): Sheet => ({ cells, outlines, labels });
const edges = (some: Sheet, tight = true) => {
  const { left, top, width, height } = bounds(some, tight);
  return [left, top, left + width, top + height].map((value) => Math.round(value * 100) / 100);
};

describe("bounds", () => {
  test.each([
    [undefined, [-0.5, -0.5, 0.5, 0.5]],
    ["hollow", [-0.5, -0.5, 0.5, 0.5]],
    ["square", [-0.5, -1.6, 0.5, 0.78]],
    ["slot", [-0.5, -0.55, 0.5, 0.5]],
    ["card", [-0.46, -0.6, 0.46, 0.6]],
  ] as const)("of a %s", (shape, expected) => expect(edges(board([cell("a", 0, 0, shape)]))).toEqual(expected));

  test("leave a tenth of air around unless tight, and nothing has a size", () => {
    expect(edges(board([cell("a", 3, 4)]), false)).toEqual([2.4, 3.4, 3.6, 4.6]);
    expect(bounds(board([]))).toEqual({ left: 0, top: 0, width: 1, height: 1 });
  });
  test("hold outlines with their edge, and labels with about their width", () => {
    expect(edges(board([], [[[0, 0], [2, 1]]]))).toEqual([-0.26, -0.26, 2.26, 1.34]);
    expect(edges(board([], [], [{ x: 1, y: 1, text: "abcd" }]))).toEqual([0.68, 0.7, 1.32, 1.3]);
    expect(edges(board([], [], [{ x: 0, y: 0, text: "x".repeat(99) }]))).toEqual([-1.92, -0.3, 1.92, 0.3]);
  });
});

describe("a bent row", () => {
  const row = (count: number) => board(Array.from({ length: count }, (_, i) => cell(`${i + 1}`, i, 3)));

  test("goes there below and back above, in an outline of its own", () => {
    const bent = fold(row(11));
    expect(bent.cells.map(({ x, y }) => [x, y])).toEqual([
      [0, 2.15], [1, 2.15], [2, 2.15], [3, 2.15], [4, 2.15], [5, 2.15], [5, 0], [4, 0], [3, 0], [2, 0], [1, 0],
    ]);
    expect(bent.outlines).toEqual([[[-0.62, -0.68], [5.62, -0.68], [5.62, 2.15 + 0.82], [-0.62, 2.15 + 0.82]]]);
    expect(bent.labels).toEqual([]);
  });
  test("has at least ten places, in one row, in whatever order they come", () => {
    const [nine, ten] = [row(9), row(10)];
    expect(fold(nine)).toBe(nine);
    expect(fold(ten)).not.toBe(ten);
    const crooked = board([...row(9).cells, cell("10", 9, 4)]);
    expect(fold(crooked)).toBe(crooked);
    const turned = fold(board(row(10).cells.toReversed()));
    expect(turned.cells.map((one) => one.spot)).toEqual(row(10).cells.map((one) => one.spot).reverse());
    expect(turned.cells.at(-1)).toMatchObject({ spot: "1", x: 0, y: 2.15 });
    const none = board([]);
    expect(fold(none)).toBe(none);
  });
});

describe("stacks", () => {
  test("are sorted from below", () => {
    const [top, base, other]: Piece[] = [{ spot: "a", kind: "cup", level: 1 }, { spot: "a", kind: "cup" }, { spot: "b", kind: "cup", level: 0 }];
    expect(stacks([top!, other!, base!])).toEqual(new Map([["a", [base, top]], ["b", [other]]]));
  });
  test("rise by cups only, and from the second on", () => {
    expect([0, 1, 2, 5, 6, 11].map((count) => Math.round(1000 * rise({ kind: "cup" }, count)))).toEqual([0, 0, 270, 270, 220, 110]);
    expect(rise({ kind: "bucket" }, 9)).toBe(0);
  });
});

describe("the nearest place", () => {
  const [one, two] = [{ x: 0, y: 0 }, { x: 3, y: 4 }];
  test("may be just within reach, and a nearer one wins", () => {
    expect(nearest([two], 0, 0, 5)).toBe(two);
    expect(nearest([two], 0, 0, 4.99)).toBe(undefined);
    expect([nearest([one, two], 0, 1, 9), nearest([two, one], 0, 1, 9), nearest([one, two], 3, 3, 9)]).toEqual([one, one, two]);
    expect(nearest([], 0, 0, 1)).toBe(undefined);
  });
});

describe("a key's step", () => {
  const grid = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => ({ x, y })));
  const go = (key: string, from = { x: 1, y: 1 }, column = from.x) => step(grid, grid.find((one) => one.x === from.x && one.y === from.y)!, key, column);

  test("goes one place, not two, and never back", () => {
    expect(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => go(key))).toEqual([{ x: 0, y: 1 }, { x: 2, y: 1 }, { x: 1, y: 0 }, { x: 1, y: 2 }]);
    expect(["ArrowRight", "ArrowDown"].map((key) => go(key, { x: 0, y: 0 }))).toEqual([{ x: 1, y: 0 }, { x: 0, y: 1 }]);
    expect([go("ArrowLeft", { x: 0, y: 0 }), go("ArrowUp", { x: 0, y: 0 }), go("x"), go("Tab")]).toEqual([undefined, undefined, undefined, undefined]);
  });
  test("between two rows takes the place nearer to the column", () => {
    const rows = [{ x: 0.5, y: 0 }, { x: 1.5, y: 0 }, { x: 1, y: 1 }];
    expect(step(rows, rows[2]!, "ArrowUp", 0.6)).toBe(rows[0]);
    expect(step(rows, rows[2]!, "ArrowUp", 1.4)).toBe(rows[1]);
    expect(step(rows, rows[2]!, "Home", 1.4)).toBe(rows[0]);
    expect(step(rows, rows[2]!, "PageUp", 0.6)).toBe(rows[1]);
    expect(step(rows, rows[1]!, "End", 0)).toBe(rows[2]);
    expect(step(rows, rows[0]!, "PageDown", 0)).toBe(rows[2]);
  });
  test("prefers the next row to what is straight ahead in the one after it", () => {
    const rows = [{ x: 1, y: 0 }, { x: 0.5, y: 1 }, { x: 1, y: 2 }];
    expect(step(rows, rows[2]!, "ArrowUp", 1)).toBe(rows[1]);
  });
  test("is not led astray by what lies far aside", () => {
    const rows = [{ x: 0, y: 0 }, { x: 0.4, y: 3 }, { x: 1, y: 2.4 }];
    expect(step(rows, rows[0]!, "ArrowRight", 0)).toBe(undefined);
  });
});

describe("motion", () => {
  test.each([[0, 220], [1, 220], [2, 265], [3, 310], [4, 350], [9, 350]])("%d hops take %d ms", (hops, ms) => expect(duration(hops)).toBe(ms));

  const at = (x: number, y: number) => `translate(${x * UNIT}px, ${y * UNIT}px)`;
  test.each([
    ["cup", 0.7],
    ["bucket", 0.7],
    ["card", 0.25],
  ] as const)("a %s is lifted half way", (kind, lift) => {
    expect(keyframes([{ x: 0, y: 0 }, { x: 2, y: 1 }], kind)).toEqual([
      { transform: at(-2, -1), offset: 0, easing: "ease-in-out" },
      { transform: at(-1, -0.5 - lift), offset: 0.5, easing: "ease-in-out" },
      { transform: at(0, 0), offset: 1, easing: "ease-in-out" },
    ]);
  });
  test("a peg slides to its neighbour and leaps further", () => {
    const frames = keyframes([{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 3, y: 0 }], "peg");
    expect(frames.map(({ transform, offset }) => [transform, offset])).toEqual([
      [at(-3, 0), 0], [at(-2, 0), 0.5], [at(-1, -0.45), 0.75], [at(0, 0), 1],
    ]);
    expect(keyframes([{ x: 0, y: 0 }, { x: 1.2, y: 0 }], "peg").length).toBe(2);
  });
  test("nobody moves without a way", () => {
    expect([keyframes([], "cup"), keyframes([{ x: 0, y: 0 }], "cup")]).toEqual([[], []]);
  });
  test("what falls turns to its side", () => {
    expect(fall(-1)).toEqual([
      { transform: "none", opacity: 1 },
      { transform: `translate(-30px, ${1.4 * UNIT}px) rotate(-110deg)`, opacity: 0 },
    ]);
  });
});

describe("paint", () => {
  test("is mixed channel by channel", () => {
    expect([mix("#102030", "#506070", 0.25), mix("#ff0000", "#00ff01", 1), mix("#0a0b0c", "#ffffff", 0)]).toEqual(["#203040", "#00ff01", "#0a0b0c"]);
    expect([light("#000000"), dark("#ffffff")]).toEqual(["#808080", "#a6a6a6"]);
  });
  test("a cup stands on its rim", () => {
    expect(cone(10, 20, 15, 30)).toBe("M-20 10 L-15 -20 A15 5 0 0 1 15 -20 L20 10 A20 8 0 0 1 -20 10 z");
  });
});

describe("what became of each piece", () => {
  const cup = (spot: string, level = 0, tint = "red", kind: Piece["kind"] = "cup"): Piece => ({ spot, kind, tint, level });

  test("of equal ones those that stand stay, and the one that moved is the one on the path", () => {
    const before = place([cup("a"), cup("a", 1), cup("b")]);
    const change = follow(before, [cup("a"), cup("b"), cup("b", 1)], ["a", "b"]);
    expect(change.placed.map((piece) => piece.key)).toEqual([before[0]!.key, before[2]!.key, before[1]!.key]);
    expect(change.travels).toEqual([{ key: before[1]!.key, path: ["a", "b"], was: before[1] }]);
    expect([change.born, change.gone]).toEqual([[], []]);
  });
  test("without a path the same face goes the way it must have gone", () => {
    const before = place([cup("a", 0, "red"), cup("b", 0, "blue")]);
    const change = follow(before, [cup("c", 0, "blue"), cup("a", 0, "red")], []);
    expect(change.travels.map(({ key, path }) => [key, path])).toEqual([[before[1]!.key, ["b", "c"]]]);
  });
  test("a piece that only sinks in its stack has not travelled", () => {
    const before = place([cup("a", 0, "blue"), cup("a", 1)]);
    const change = follow(before, [cup("a")], ["a", "a"]);
    expect([change.placed[0]!.key, change.travels, change.gone.map((piece) => piece.tint)]).toEqual([before[1]!.key, [], ["blue"]]);
  });
  test("another kind of the same colour, or another number on the same pile, is the same thing", () => {
    const before = place([cup("a", 0, "red", "dome"), { spot: "b", kind: "card", text: "7" }]);
    const change = follow(before, [cup("a", 0, "red", "turned"), { spot: "b", kind: "card", text: "6" }], []);
    expect(change.placed.map((piece) => piece.key)).toEqual(before.map((piece) => piece.key));
    expect([change.born, change.gone, change.travels]).toEqual([[], [], []]);
  });
  test("another kind of another colour is another thing, and so is one on another level", () => {
    const before = place([cup("a", 0, "red", "dome"), cup("b", 0, "red", "peg")]);
    const change = follow(before, [cup("a", 0, "blue", "turned"), cup("b", 1, "blue", "peg")], []);
    expect([change.born.length, change.gone.length]).toEqual([2, 2]);
    expect(new Set([...before, ...change.placed].map((piece) => piece.key)).size).toBe(4);
  });
  test("a move within one place takes nothing along", () => {
    const before = place([cup("a"), cup("b", 0, "blue")]);
    expect(follow(before, [cup("a"), cup("b", 0, "blue"), cup("c", 0, "green")], ["a", "a"]).born.length).toBe(1);
  });
});
