import { expect, test } from "vitest";
import type { Event } from "../wire.gen";
import { roundNumbers, rounds } from "./rounds";

/** Rows such as "1:01", with the seats of their moves; what nature does has no number. */
function rows(seats: readonly number[], columns: readonly number[] | null): string[] {
  const moves = seats.map((seat, n): Event => ({ n, kind: "move", at: 0, seat }));
  return rounds(moves, columns).map((row) => `${row.number ?? "-"}:${row.moves.map((move) => move.seat).join("")}`);
}

test("with a column for each seat, a row is over when the next move would stand further left", () => {
  expect(rows([0, 1, 0, 1, 0], [0, 1])).toEqual(["1:01", "2:01", "3:0"]);
  expect(rows([1, 0, 1, 1], [0, 1])).toEqual(["1:1", "2:01", "3:1"]);
  expect(rows([0, 2, 1, 0], [0, 1, 2])).toEqual(["1:02", "2:1", "3:0"]);
});

test("without columns, when somebody moves again, whichever way round it goes", () => {
  expect(rows([0, 3, 2, 1, 0, 3], null)).toEqual(["1:0321", "2:03"]);
  expect(rows([0, 1, 1, 2, 3], null)).toEqual(["1:01", "2:123"]);
});

test("what nature does stands alone, and rounds are counted without it", () => {
  expect(rows([-1, 0, 1, -1, 0], [0, 1])).toEqual(["-:-1", "1:01", "-:-1", "2:0"]);
  expect(rows([], null)).toEqual([]);
});

test("each move has the number of the round that the list shows it in, and a deal has none", () => {
  const made = [-1, 1, 0, 1, -1, 0].map((seat, n): Event => ({ n, kind: "move", at: 0, seat, text: seat < 0 && n ? "" : `${n}` }));
  expect([...roundNumbers(made, [0, 1])]).toEqual([[1, 1], [2, 2], [3, 2], [5, 3]]);
});
