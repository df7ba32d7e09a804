// Entering a move is pointing at its spots. What has been pointed at so far decides what can follow.

import type { Choice } from "../wire.gen";

/** Cards may be chosen in any order and put back; everywhere else order matters. */
export type IsLoose = (spot: string) => boolean;

export interface Entry {
  /** What may be pointed at next. */
  next: Set<string>;
  /** The moves that are still possible. */
  open: Choice[];
  /** Those of them that complete a move. */
  last: Set<string>;
  /** The move, when it is complete. */
  done: Choice | undefined;
}

/** "A:R5'" is the second of two equal cards: either stands for the other. */
const plain = (spot: string) => spot.replace(/'+$/, "");

export function enter(moves: readonly Choice[], picked: readonly string[], isLoose: IsLoose): Entry {
  const next = new Set<string>();
  const last = new Set<string>();
  const open: Choice[] = [];
  let done: Choice | undefined;
  const loosePicked = picked.filter(isLoose);
  for (const move of moves) {
    const rest = remaining(move, picked, loosePicked, isLoose);
    if (!rest) continue;
    open.push(move);
    if (rest.length === 0) done ??= move;
    else for (const spot of rest) next.add(spot);
    if (rest.length === 1 && rest[0] !== undefined && picked.length + 1 === move.spots.length) last.add(rest[0]);
  }
  return { next, last, open, done };
}

/** The spots that may follow `picked` in `move`; empty when it is complete, undefined when it does not fit. */
function remaining(
  move: Choice,
  picked: readonly string[],
  loosePicked: readonly string[],
  isLoose: IsLoose,
): string[] | undefined {
  const loose = move.spots.filter(isLoose);
  if (loose.length === 0) {
    if (picked.length > move.spots.length || picked.some((spot, i) => spot !== move.spots[i])) return undefined;
    const following = move.spots[picked.length];
    return following === undefined ? [] : [following];
  }
  const left = loose.map(plain);
  for (const spot of loosePicked) {
    const at = left.indexOf(plain(spot));
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  if (left.length) {
    if (picked.length > loosePicked.length) return undefined;
    return left.flatMap((spot) => [spot, `${spot}'`]).filter((spot) => !picked.includes(spot));
  }
  const fixed = move.spots.filter((spot) => !isLoose(spot));
  const chosen = picked.filter((spot) => !isLoose(spot));
  if (chosen.length > fixed.length || chosen.some((spot, i) => spot !== fixed[i])) return undefined;
  const following = fixed[chosen.length];
  return following === undefined ? [] : [following];
}
