// The turning points of a game: from judgements to curves, and to words.

import { t } from "../lib/messages";
import type { BetterMove, JudgedEvent, Part } from "../wire.gen";

export interface CurvePoint {
  /** Which of the judged moves it is. */
  at: number;
  /** The chance after it, from 0 to 1. */
  chance: number;
}

export interface Curve {
  seat: number;
  points: CurvePoint[];
}

/** The chances of the seats over the game. Of two seats the first has a curve: the other's is its mirror image. */
export function curves(moves: readonly JudgedEvent[], seats: number): Curve[] {
  const chance = (move: JudgedEvent) => move.score ?? move.best_score;
  if (seats === 2) {
    const points = moves.map((move, at) => ({ at, chance: move.seat === 0 ? chance(move) : 1 - chance(move) }));
    return [{ seat: 0, points }];
  }
  return Array.from({ length: seats }, (_, seat) => ({
    seat,
    points: moves.flatMap((move, at) => (move.seat === seat ? [{ at, chance: chance(move) }] : [])),
  }));
}

/** The moves that mattered. */
export function turningPoints(moves: readonly JudgedEvent[]): JudgedEvent[] {
  return moves.filter((move) => move.mark && move.best);
}

/** How many per cent of the point, in whole ones. */
export const percent = (share: number) => Math.round(100 * share);

/** What the better move would have brought, compared with the one that was made. */
export function worth(move: JudgedEvent): string {
  if (move.best?.proven === "win") return t("points.wins");
  if (move.best?.proven === "draw") return t("points.draws");
  return t("points.worse", { count: percent(move.cost ?? 0) });
}

/** The way of a move over the board; none for what only picks things up, such as cards. */
export function wayOf(move: BetterMove, parts: readonly Part[]): string[] {
  const loose = new Set(
    parts.filter((part) => part.taking === "any-order").flatMap((part) => (part.cells ?? []).map((cell) => cell.spot)),
  );
  const path = move.path ?? [];
  return path.some((spot) => loose.has(spot)) ? [] : path;
}
