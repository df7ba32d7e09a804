// The list of moves as a table of rounds: a row for each, and a column for each seat where these are few.

import type { Event } from "../wire.gen";

export interface Row {
  /** Rounds count from 1; what nature does stands alone, without a number. */
  number: number | null;
  moves: Event[];
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
