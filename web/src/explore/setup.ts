// Pieces set up by hand: where one is put, stacked or taken away. On flat places pieces stack, elsewhere one replaces another.

import type { Cell, LoosePiece, Piece } from "../wire.gen";

const on = (pieces: readonly Piece[], spot: string) =>
  pieces.filter((piece) => piece.spot === spot).sort((a, b) => (a.level ?? 0) - (b.level ?? 0));

/** The pieces with a new one on a place. */
export function added(pieces: readonly Piece[], cell: Cell, piece: LoosePiece): Piece[] {
  const stacks = cell.shape === "square";
  const rest = stacks ? [...pieces] : pieces.filter((one) => one.spot !== cell.spot);
  return [...rest, { spot: cell.spot, kind: piece.kind, tint: piece.tint, level: stacks ? on(pieces, cell.spot).length : 0 }];
}

/** The pieces after the top one of a place has gone to another. */
export function moved(pieces: readonly Piece[], from: string, cell: Cell): Piece[] {
  const top = on(pieces, from).at(-1);
  if (!top || from === cell.spot) return [...pieces];
  return added(removed(pieces, from), cell, { kind: top.kind, tint: top.tint ?? "" });
}

/** The pieces without the top one of a place. */
export function removed(pieces: readonly Piece[], spot: string): Piece[] {
  const top = on(pieces, spot).at(-1);
  return pieces.filter((piece) => piece !== top);
}
