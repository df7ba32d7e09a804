// A board that changed is told in terms of the one before it.

import type { Board, Change } from "../wire.gen";

/** The board after a change. What stayed is the very same, so that nothing is drawn again. */
export function changed(board: Board, change: Change): Board {
  return { ...board, cells: parts(board.cells, change.cells), labels: parts(board.labels, change.labels) };
}

/** A pair stands for what was there from its first number to before its second. */
function parts<T extends object>(before: T[], now: ([number, number] | T)[]): T[] {
  return now.flatMap((part) => (Array.isArray(part) ? before.slice(part[0], part[1]) : [part]));
}
