import { describe, expect, test } from "vitest";
import type { Cell, Part, Words } from "../wire.gen";
import { notes, sections, type Section } from "./sections";

const cell = (spot: string, x: number, y: number, shape: Cell["shape"] = "slot"): Cell => ({ spot, x, y, name: ["seat.red"] as Words, shape });

/** Places two wide and one high, six apart, each with its shelf and its name; a stock below them. */
function table(seats: number, hands: Record<string, number> = {}, open: Record<string, number> = {}): Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < seats; i++) {
    const [seat, x, y] = [String.fromCharCode(65 + i), 6 * (i % 3), 8 * Math.floor(i / 3)];
    parts.push({
      id: `${seat}:place`,
      cells: [cell(`${seat}:a1`, x, y + 1), cell(`${seat}:a2`, x + 1, y + 1), cell(`${seat}:b1`, x + 0.5, y)],
      outlines: [[[x - 0.5, y + 1.6], [x + 1.5, y + 1.6]]],
      labels: [{ x: x + 0.5, y: y - 1, text: `Player ${seat}`, kind: "name" }, { x: x - 1, y, text: "b" }],
      owner: i,
      role: "place",
    });
    const cards = (count = 0, name: string, at: number) => Array.from({ length: count }, (_, n) => cell(`${seat}:${name}${n + 1}`, x + n, at, "card"));
    parts.push({ id: `${seat}:open`, cells: cards(open[seat], "open", y + 3), owner: i, role: "open" });
    if (hands[seat]) parts.push({ id: `${seat}:hand`, cells: cards(hands[seat], "card", 20), labels: [{ x: 0, y: 0, text: "hand" }], owner: i, role: "hand", taking: "any-order" });
  }
  parts.push({ id: "supply", cells: [cell("stock", 30, 30, "card")], labels: [{ x: 31, y: 30, text: "3 discarded", kind: "count" }], role: "supply" });
  return parts;
}
const rounded = (value: number) => Math.round(1000 * value) / 1000;
const at = (section: Section | undefined) => Object.fromEntries((section?.cells ?? []).map(({ spot, x, y }) => [spot, [rounded(x), rounded(y)]]));
const part = (parts: Section[], key: string) => parts.find((one) => one.key === key);
const keys = (parts: Section[]) => parts.map((one) => one.key);

describe("one's own part", () => {
  test("has its corner at the origin, its shelf under it, and the stock beside it", () => {
    const mine = part(sections(table(4), 3, false, false), "mine")!;
    expect(at(mine)).toEqual({ "D:a1": [0, 1], "D:a2": [1, 1], "D:b1": [0.5, 0], stock: [1.35, 0.05] });
    expect(mine.outlines.flat().map(([x, y]) => [x, Math.round(10 * y) / 10])).toEqual([[-0.5, 1.6], [1.5, 1.6]]);
    expect(mine.labels.map(({ x, y, ...rest }) => [rounded(x), rounded(y), rest])).toEqual([[1.35, 0.82, { text: "3 discarded", kind: "count" }]]);
  });
  /** Where open cards lie beside a place so wide. */
  const open = (width: number, count: number) => {
    const stands: Part = { id: "A:place", cells: Array.from({ length: width }, (_, x) => cell(`A:a${x + 1}`, x, 3)), owner: 0, role: "place" };
    const cards = Array.from({ length: count }, (_, n) => cell(`A:open${n}`, n, 6, "card"));
    const mine = part(sections([stands, { id: "A:open", cells: cards, owner: 0, role: "open" }], 0, false, false), "mine")!;
    return mine.cells.filter((one) => one.shape === "card").map(({ x, y }) => [Math.round(100 * x) / 100, y]);
  };
  test("shows open cards beside the top, closer together when they are many", () => {
    expect(open(5, 2)).toEqual([[0, 0.05], [0.55, 0.05]]);
    expect(open(5, 5).map(([x]) => x)).toEqual([0, 0.3, 0.59, 0.89, 1.18]);
  });
  test("shows more open cards than there is room for on the left also on the right, clear of the stock", () => {
    expect(open(4, 5).map(([x]) => x)).toEqual([0, 0.34, 0.68, 2.32, 2.62]);
    expect(open(4, 10).every(([x]) => x! <= 0.68 || (x! >= 2.32 && x! <= 3))).toBe(true);
  });
  test("without a stock shows no count of it", () => {
    const mine = part(sections(table(2).filter((one) => one.role !== "supply"), 0, false, false), "mine");
    expect([mine?.labels, mine?.cells.length]).toEqual([[], 3]);
  });
});

describe("the hand", () => {
  const xs = (count: number) => Object.values(at(part(sections(table(2, { A: count }), 0, false, false), "hand"))).map(([x, y]) => [Math.round(100 * x!) / 100, y]);
  test("lies in the middle, in two rows from the sixth card on, and is left out when it is empty", () => {
    expect(xs(1)).toEqual([[0, 0]]);
    expect(xs(2)).toEqual([[-0.44, 0], [0.44, 0]]);
    expect(xs(5)).toEqual([[-1.76, 0], [-0.88, 0], [0, 0], [0.88, 0], [1.76, 0]]);
    expect(xs(6).slice(4)).toEqual([[1.76, 0], [0, 1.18]]);
    expect(xs(12).filter(([, y]) => y === 0).length).toBe(6);
    expect(keys(sections(table(2), 0, false, false))).toEqual(["others", "mine"]);
  });
  test("is one's own", () => {
    const hand = part(sections(table(2, { A: 1, B: 2 }), 1, false, false), "hand")!;
    expect([hand.cells.map((one) => one.spot), hand.outlines, hand.labels]).toEqual([["B:card1", "B:card2"], [], []]);
  });
});

describe("the others", () => {
  const others = (seats: number, stacked?: boolean) => at(part(sections(table(seats), 0, stacked ?? false, false, stacked), "others"));
  test("stand two and two, each under its name", () => {
    const found = others(6);
    expect(["B", "C", "D", "E", "F"].map((seat) => found[`${seat}:a1`])).toEqual([[0, 1], [2.9, 1], [0, 4.2], [2.9, 4.2], [0, 7.4]]);
    const labels = part(sections(table(3), 0, false, false), "others")!.labels;
    expect(labels.filter((label) => label.kind === "name")).toEqual([
      { x: 0.5, y: 2.08, text: "Player B", kind: "name" },
      { x: 3.4, y: 2.08, text: "Player C", kind: "name" },
    ]);
    expect(part(sections(table(3), 0, false, false), "others")!.outlines[1]).toEqual([[2.4, 1.6], [4.4, 1.6]]);
    expect(part(sections(table(6), 0, false, false), "others")!.outlines[2]?.map(([, y]) => Math.round(10 * y) / 10)).toEqual([4.8, 4.8]);
  });
  test("have their names under them in every row", () => {
    const labels = part(sections(table(6), 0, false, false), "others")!.labels.filter((label) => label.kind === "name");
    expect(labels.map(({ x, y }) => [x, Math.round(100 * y) / 100])).toEqual([[0.5, 2.08], [3.4, 2.08], [0.5, 5.28], [3.4, 5.28], [0.5, 8.48]]);
  });
  test("stand in one row above one's own", () => {
    const found = others(4, true);
    expect(["B", "C", "D"].map((seat) => found[`${seat}:a1`]?.[1])).toEqual([1, 1, 1]);
    expect(found["stock"]).toBe(undefined);
  });
  test("without a name stand there all the same", () => {
    const nameless = table(2).map((one) => ({ ...one, labels: [] }));
    expect(part(sections(nameless, 0, false, false), "others")).toMatchObject({ labels: [], cells: [{}, {}, {}] });
  });
  test("are left out on a phone that is a hand", () => {
    expect(keys(sections(table(2, { A: 1 }), 0, true, true))).toEqual(["mine", "hand"]);
  });
});

describe("who looks on", () => {
  const whole = (seats: number, narrow = false) => at(sections(table(seats), null, narrow, false)[0]);
  const rows = (seats: number, narrow = false) => {
    const found = whole(seats, narrow);
    const ys = Array.from({ length: seats }, (_, i) => found[`${String.fromCharCode(65 + i)}:a1`]![1]!);
    return [...new Set(ys)].map((y) => ys.filter((other) => other === y).length);
  };
  test("sees everybody side by side", () => {
    expect([2, 3, 4, 5, 6].map((seats) => rows(seats))).toEqual([[2], [3], [2, 2], [3, 2], [3, 3]]);
    expect([1, 2, 3, 4, 5, 6].map((seats) => rows(seats, true))).toEqual([[1], [2], [2, 1], [2, 2], [3, 2], [3, 3]]);
  });
  test("sees the stock beside the last, with its count", () => {
    expect(whole(2)["stock"]).toEqual([3.9 + 1.2, 0.05]);
    const { x, y, text } = sections(table(2), null, false, false)[0]!.labels.at(-1)!;
    expect([rounded(x), rounded(y), text]).toEqual([5.1, 0.82, "3 discarded"]);
  });
});

describe("a common board", () => {
  const board: Part[] = [{ id: "board", cells: [cell("a1", 3, 4), cell("b1", 4, 4)], labels: [{ x: 2, y: 4, text: "1" }], outlines: [[[2, 3], [5, 5]]] }];

  test("without anything of one's own is drawn as it lies", () => {
    expect(sections(board, 0, true, false)).toEqual([{ key: "whole", cells: board[0]!.cells, labels: board[0]!.labels, outlines: board[0]!.outlines }]);
  });
  test("stands between what is the others' and what is one's own, and its stock lies with it", () => {
    const all = [...board, ...table(2, { A: 1, B: 1 })];
    const found = sections(all, 0, false, false);
    expect(keys(found)).toEqual(["others", "whole", "mine", "hand"]);
    expect(at(part(found, "whole"))).toEqual({ a1: [3, 4], b1: [4, 4], stock: [30, 30] });
    expect(keys(sections(all, 0, true, true))).toEqual(["mine", "hand"]);
    expect(keys(sections(all, null, false, false))).toEqual(["whole", "others"]);
  });
  test("is turned for whoever looks, and a row of many places is folded after that", () => {
    const row: Part = { id: "board", cells: Array.from({ length: 14 }, (_, x) => cell(`${x + 1}`, x, 0)) };
    const turned = at(sections([row], 0, false, false, false, 180)[0]);
    expect([turned["14"], turned["8"], turned["7"], turned["1"]]).toEqual([[0, 2.15], [6, 2.15], [6, 0], [0, 0]]);
    const corner: Part = { id: "board", cells: [cell("a", 0, 0), cell("b", 0, -1)], labels: [{ x: 0, y: -2, text: "b" }], outlines: [[[1, 0], [0, 1]]] };
    const [whole] = sections([corner], 0, false, false, false, 60);
    expect(at(whole)).toEqual({ a: [0, 0], b: [0.866, -0.5] });
    expect([rounded(whole!.labels[0]!.x), whole!.labels[0]!.text, whole!.outlines[0]!.map(([x, y]) => [rounded(x), rounded(y)])]).toEqual([1.732, "b", [[0.5, 0.866], [-0.866, 0.5]]]);
  });
  test("with hands only has nothing else beside it", () => {
    const all = [...board, ...table(2, { A: 2 }).filter((one) => one.role === "hand")];
    expect(keys(sections(all, 0, false, false))).toEqual(["whole", "hand"]);
    expect(keys(sections(all, null, false, false))).toEqual(["whole"]);
  });
});

test("whole sentences are told as text, and not drawn", () => {
  const said: Part = { id: "note", labels: [{ x: 0, y: 0, text: "Take care.", kind: "note" }], role: "note" };
  expect(notes([...table(2), said])).toEqual(["Take care."]);
  for (const seat of [null, 0]) {
    expect(sections([...table(2), said], seat, false, false).flatMap((one) => one.labels.map((label) => label.text))).not.toContain("Take care.");
  }
});
