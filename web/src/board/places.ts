// The places of a board as one points at them: what stands there, how high, what it is called.

import { say, t } from "../lib/messages";
import type { Cell, Part, Piece, Tint, Words } from "../wire.gen";
import { rise, stacks } from "./geometry";
import { CARD_HEIGHT, CARD_WIDTH, UNIT } from "./paint";
import { piecesOf } from "./scene";

export interface Place extends Cell {
  /** From the lowest to the highest. */
  stack: readonly Piece[];
  top: Piece | undefined;
  /** How much higher the top stands than the lowest. */
  up: number;
  /** For a screen reader. */
  says: string;
}

/** The places of a picture, with what the parts of its scene put there. */
export function places(cells: readonly Cell[], parts: readonly Part[], tints: ReadonlyMap<string, Tint>): Place[] {
  const byCell = stacks(piecesOf(parts));
  // A name tells of its own part's pieces only: one that is being put there from elsewhere has to be said.
  const telling = new Map(
    parts
      .filter((part) => part.tells)
      .flatMap((part) => (part.cells ?? []).map((cell): [string, readonly Piece[]] => [cell.spot, part.pieces ?? []])),
  );
  return cells.map((cell) => {
    const stack = byCell.get(cell.spot) ?? [];
    const top = stack.at(-1);
    const up = top ? rise(top, stack.length) * (stack.length - 1) : 0;
    const told = telling.get(cell.spot) ?? [];
    const tells = stack.every((piece) => told.includes(piece));
    return { ...cell, stack, top, up, says: describe(cell.name, tells, stack, tints) };
  });
}

/** A name that `tells` what stands there needs no more words; one that does not is followed by them, from the top. */
function describe(words: Words, tells: boolean, stack: readonly Piece[], tints: ReadonlyMap<string, Tint>): string {
  const place = say(words);
  if (!stack.length) return t("board.empty", { place });
  if (tells) return place;
  const colour = (piece: Piece) => tints.get(piece.tint ?? "")?.words ?? "";
  const what = stack.map((piece) => t(`piece.${piece.kind}`, { colour: colour(piece), text: piece.text ?? "" }));
  return t("board.holds", { place, pieces: say(["join.list", what.reverse()]) });
}

/** Width, height and rounding of what is drawn around a place, as large as it or so much of it. */
export function ring(shape: Cell["shape"], scale = 1): { w: number; h: number; r: number } {
  const { w, h, r } = whole(shape);
  return { w: w * scale, h: h * scale, r: r * scale };
}

function whole(shape: Cell["shape"]): { w: number; h: number; r: number } {
  if (shape === "card") return { w: CARD_WIDTH + 4, h: CARD_HEIGHT + 4, r: 8 };
  if (shape === "square") return { w: 0.9 * UNIT, h: 0.9 * UNIT, r: 7 };
  return { w: 0.84 * UNIT, h: 0.84 * UNIT, r: 0.42 * UNIT };
}
