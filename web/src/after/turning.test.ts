import { describe, expect, it } from "vitest";
import type { JudgedEvent } from "../wire.gen";
import { curves, turningPoints, wayOf, worth } from "./turning";

const judged = (more: Partial<JudgedEvent>): JudgedEvent => ({ n: 1, seat: 0, score: 0.5, best_score: 0.5, ...more });
const best = { text: "1-2", spots: ["1", "2"], path: ["1", "2"], words: ["x"] as [string], score: 0.9 };

describe("turning points", () => {
  it("draws one curve for two, from the first one's side, and one for each of several", () => {
    const moves = [judged({ score: 0.7 }), judged({ seat: 1, score: 0.4 }), judged({ score: null, best_score: 0.2 })];
    expect(curves(moves, 2)).toEqual([{ seat: 0, points: [0.7, 0.6, 0.2].map((chance, at) => ({ at, chance })) }]);
    expect(curves(moves, 3).map((curve) => curve.points.length)).toEqual([2, 1, 0]);
  });

  it("says what the better move would have brought", () => {
    expect(worth(judged({ cost: 0.124, best }))).toBe("The move that was made is about 12 % worse.");
    expect(worth(judged({ cost: 0.3, best: { ...best, proven: "win" } }))).toBe("That wins by force.");
    expect(turningPoints([judged({}), judged({ mark: "mistake", best })])).toHaveLength(1);
  });

  it("draws no way between cards", () => {
    const cell = (spot: string) => ({ spot, x: 0, y: 0, name: ["x"] as [string] });
    const hand = { id: "hand", taking: "any-order" as const, cells: [cell("1")] };
    expect(wayOf(best, [{ id: "board", cells: [cell("1"), cell("2")] }])).toEqual(["1", "2"]);
    expect(wayOf(best, [hand])).toEqual([]);
  });
});
