// The list of moves as a table of rounds: a row for each, and a column for each seat where these are few.

import { say } from "../lib/messages";
import type { Event } from "../wire.gen";

export interface Row {
  /** Rounds count from 1; what nature does stands alone, without a number. */
  number: number | null;
  moves: Event[];
}

/** Two seats have a column each, three only if what they do is said in so few letters. */
const LETTERS = 12;

/** What a list of moves says of one; what has no text, such as a deal, is seen on the board. */
export const brief = (move: Event): string => say(move.short ?? move.text);

/** The seats that have a column each, from left to right; null where the rounds are written in lines. */
export function columnsOf(moves: readonly Event[], seats: readonly number[]): readonly number[] | null {
  const isTerse = moves.every((move) => (move.seat ?? -1) < 0 || brief(move).length <= LETTERS);
  return seats.length <= 2 || (seats.length === 3 && isTerse) ? seats : null;
}

/** The number of each move's round, by the move's own number: for lists that stand beside the list of moves. */
export function roundNumbers(made: readonly Event[], seats: readonly number[]): ReadonlyMap<number, number> {
  const moves = made.filter(brief);
  const rows = rounds(moves, columnsOf(moves, seats));
  return new Map(rows.flatMap(({ number, moves }) => (number ? moves.map((move) => [move.n, number] as const) : [])));
}

/**
 * Moves in rows. With `columns`, the seats from left to right, a row is over when the next move would stand to the
 * left of the last one; otherwise when somebody moves again.
 */
export function rounds(moves: readonly Event[], columns: readonly number[] | null): Row[] {
  const rows: Row[] = [];
  let number = 0;
  for (const move of moves) {
    const row = rows.at(-1);
    if (move.seat == null || move.seat < 0) rows.push({ number: null, moves: [move] });
    else if (row?.number && fits(row.moves, move.seat, columns)) row.moves.push(move);
    else rows.push({ number: ++number, moves: [move] });
  }
  return rows;
}

function fits(before: readonly Event[], seat: number, columns: readonly number[] | null): boolean {
  if (!columns) return before.every((move) => move.seat !== seat);
  return columns.indexOf(before.at(-1)?.seat ?? -1) < columns.indexOf(seat);
}
