import { describe, expect, test } from "vitest";
import type { Board, Cell, Label, Words } from "../wire.gen";
import { sections } from "./sections";

const cell = (spot: string, x: number, y: number, shape: Cell["shape"] = "slot"): Cell => ({ spot, x, y, name: ["seat.red"] as Words, shape });

/** Pyramids two wide and one high, six apart, as Cup King lays them out; each with its shelf and its name. */
function table(seats: number, hands: Record<string, number> = {}, open: Record<string, number> = {}): Board {
  const cells: Cell[] = [];
  const labels: Label[] = [];
  const outlines: [number, number][][] = [];
  for (let i = 0; i < seats; i++) {
    const [seat, x, y] = [String.fromCharCode(65 + i), 6 * (i % 3), 8 * Math.floor(i / 3)];
    cells.push(cell(`${seat}:a1`, x, y + 1), cell(`${seat}:a2`, x + 1, y + 1), cell(`${seat}:b1`, x + 0.5, y));
    for (let n = 0; n < (open[seat] ?? 0); n++) cells.push(cell(`${seat}:open:${n + 1}`, x + n, y + 3, "card"));
    for (let n = 0; n < (hands[seat] ?? 0); n++) cells.push(cell(`${seat}:${"RY"[Math.floor(n / 8)]}${(n % 8) + 1}`, n, 20, "card"));
    outlines.push([[x - 0.5, y + 1.6], [x + 1.5, y + 1.6]]);
    labels.push({ x: x + 0.5, y: y - 1, text: `Player ${seat}`, kind: "name" });
  }
  cells.push(cell("pile", 30, 30, "card"));
  labels.push({ x: 31, y: 30, text: "3 discarded", kind: "count" });
  return { title: ["cup-king.title"], cells, outlines, labels, tints: [] };
}
const at = (board: Board | undefined) => Object.fromEntries((board?.cells ?? []).map(({ spot, x, y }) => [spot, [x, y]]));
const part = (parts: ReturnType<typeof sections>, key: string) => parts.find((one) => one.key === key);

describe("one's own part", () => {
  test("has its corner at the origin, its shelf under it, and the pile beside it", () => {
    const mine = part(sections(table(4), 3, false, false), "mine")!;
    expect(at(mine)).toEqual({ "D:a1": [0, 1], "D:a2": [1, 1], "D:b1": [0.5, 0], pile: [1.35, 0.05] });
    expect(mine.outlines.flat().map(([x, y]) => [x, Math.round(10 * y) / 10])).toEqual([[-0.5, 1.6], [1.5, 1.6]]);
    expect(mine.labels).toEqual([{ x: 1.35, y: 0.82, text: "3 discarded", kind: "count" }]);
  });
  test("shows open cards beside the top, closer together when they are many", () => {
    const of = (count: number) => at(part(sections(table(2, {}, { A: count }), 0, false, false), "mine"));
    expect([of(1)["A:open:1"], of(2)["A:open:2"]]).toEqual([[0, 0.05], [0.45, 0.05]]);
    expect([of(3)["A:open:2"], of(3)["A:open:3"], of(4)["A:open:4"]?.map((value) => Math.round(10 * value) / 10)]).toEqual([[0.45, 0.05], [0.9, 0.05], [0.9, 0.1]]);
  });
  test("without a pile shows no count of it", () => {
    const board = table(2);
    const mine = part(sections({ ...board, cells: board.cells.filter((one) => one.spot !== "pile") }, 0, false, false), "mine");
    expect(mine?.labels).toEqual([]);
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
    expect(sections(table(2), 0, false, false).map((one) => one.key)).toEqual(["others", "mine"]);
  });
  test("is one's own", () => {
    const hand = part(sections(table(2, { A: 1, B: 2 }), 1, false, false), "hand")!;
    expect([hand.cells.map((one) => one.spot), hand.outlines, hand.labels]).toEqual([["B:R1", "B:R2"], [], []]);
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
    expect(found["pile"]).toBe(undefined);
  });
  test("a name that is not there is the letter", () => {
    const board = { ...table(2), labels: [] };
    expect(part(sections(board, 0, false, false), "others")!.labels[0]?.text).toBe("B");
  });
  test("are left out on a phone that is a hand", () => {
    expect(sections(table(2, { A: 1 }), 0, true, true).map((one) => one.key)).toEqual(["mine", "hand"]);
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
  test("sees the pile beside the last, with its count", () => {
    expect(whole(2)["pile"]).toEqual([3.9 + 1.2, 0.05]);
    expect(sections(table(2), null, false, false)[0]?.labels.at(-1)).toEqual({ x: 5.1, y: 0.82, text: "3 discarded", kind: "count" });
  });
});
