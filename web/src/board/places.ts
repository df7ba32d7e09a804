// The places of a board as one points at them: what stands there, how high, what it is called.

import { say, t } from "../lib/messages";
import type { Cell, Piece, Tint, Words } from "../wire.gen";
import { rise, stacks } from "./geometry";
import { CARD_HEIGHT, CARD_WIDTH, UNIT } from "./paint";

export interface Place extends Cell {
  /** From the lowest to the highest. */
  stack: readonly Piece[];
  top: Piece | undefined;
  /** How much higher the top stands than the lowest. */
  up: number;
  /** For a screen reader. */
  says: string;
}

export function places(cells: readonly Cell[], pieces: readonly Piece[], tints: ReadonlyMap<string, Tint>): Place[] {
  const byCell = stacks(pieces);
  return cells.map((cell) => {
    const stack = byCell.get(cell.spot) ?? [];
    const top = stack.at(-1);
    const up = top ? rise(top, stack.length) * (stack.length - 1) : 0;
    return { ...cell, stack, top, up, says: describe(cell.name, stack, tints) };
  });
}

function describe(words: Words, stack: readonly Piece[], tints: ReadonlyMap<string, Tint>): string {
  const name = say(words);
  // The names of slots and cards already say what is there.
  const seen = stack.filter((piece) => piece.kind === "cup" || piece.kind === "peg" || piece.kind === "dome" || piece.kind === "turned");
  if (!seen.length) return stack.length ? name : t("board.empty", { place: name });
  const what = [...seen].reverse().map((piece) => t(`piece.${piece.kind}`, { colour: tints.get(piece.tint ?? "")?.words ?? "" }));
  return t("board.holds", { place: name, pieces: say(["join.list", what]) });
}

/** Width, height and rounding of what is drawn around a place. */
export function ring(shape: Cell["shape"]): { w: number; h: number; r: number } {
  if (shape === "card") return { w: CARD_WIDTH + 4, h: CARD_HEIGHT + 4, r: 8 };
  if (shape === "square") return { w: 0.9 * UNIT, h: 0.9 * UNIT, r: 7 };
  return { w: 0.84 * UNIT, h: 0.84 * UNIT, r: 0.42 * UNIT };
}
