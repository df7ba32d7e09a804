// Small motions that nobody simulated: picked pieces rise, pieces that were taken away leave.

import type { SolidPiece } from "./pieces";
import type { Stage } from "./stage";

const LEAVING_MS = 380;
const RISE = 60;

export class Settling {
  /** Since when each piece has been leaving; null: it has just begun. */
  readonly #leaving = new Map<SolidPiece, number | null>();

  /** Pieces that are gone; those that cannot be seen, or when nothing is to move, go at once. */
  leave(pieces: readonly SolidPiece[], isCalm: boolean): void {
    for (const piece of pieces) {
      if (isCalm || !piece.group.visible) piece.dispose();
      else this.#leaving.set(piece, null);
    }
  }

  /** Moves everything on; whether anything moved, and whether there is more to come. */
  step(stage: Stage, now: number, isCalm: boolean, kept: number | null): { hasMoved: boolean; goesOn: boolean } {
    const isLeaving = this.#leaving.size > 0;
    for (const [piece, began] of this.#leaving) this.#rise(piece, began ?? now, now);
    let [hasMoved, goesOn] = [isLeaving, this.#leaving.size > 0];
    for (const stand of stage.stands.values()) {
      if (stand.seat === kept || stand.isMoved) continue;
      for (const piece of stand.pieces.values()) {
        if (!lifted(piece, isCalm)) continue;
        hasMoved = true;
        goesOn ||= piece.lift !== piece.wanted;
      }
    }
    return { hasMoved, goesOn };
  }

  #rise(piece: SolidPiece, began: number, now: number): void {
    this.#leaving.set(piece, began);
    const share = Math.min((now - began) / LEAVING_MS, 1);
    piece.lift = RISE * share * share;
    piece.goHome();
    piece.fade(1 - share);
    if (share < 1) return;
    piece.dispose();
    this.#leaving.delete(piece);
  }

  clear(): void {
    for (const piece of this.#leaving.keys()) piece.dispose();
    this.#leaving.clear();
  }
}

/** Lifts a piece a step towards where it should be; whether it was not there yet. */
function lifted(piece: SolidPiece, isCalm: boolean): boolean {
  const left = piece.wanted - piece.lift;
  if (!left) return false;
  piece.lift = isCalm || Math.abs(left) < 0.3 ? piece.wanted : piece.lift + left * 0.3;
  piece.goHome();
  return true;
}
