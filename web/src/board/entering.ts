// Entering a move is pointing at its spots. What has been pointed at so far decides what can follow.

import type { Choice, Part } from "../wire.gen";

/** How spots may be pointed at, as the parts of a scene say. */
export interface Manner {
  /** May be chosen in any order and put back, as the cards of a hand; everywhere else order matters. */
  isLoose: (spot: string) => boolean;
  /** Itself and every equal spot, always in the same order: any of them stands for the others. */
  alike: (spot: string) => readonly string[];
}

export function manner(parts: readonly Part[]): Manner {
  const loose = new Set<string>();
  const equal = new Map<string, string[]>();
  for (const part of parts) {
    for (const { spot, like } of part.cells ?? []) {
      if (part.taking === "any-order") loose.add(spot);
      const group = (like && equal.get(like)) || [];
      group.push(spot);
      equal.set(spot, group);
    }
  }
  return { isLoose: (spot) => loose.has(spot), alike: (spot) => equal.get(spot) ?? [spot] };
}

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

export function enter(moves: readonly Choice[], picked: readonly string[], how: Manner): Entry {
  const next = new Set<string>();
  const last = new Set<string>();
  const open: Choice[] = [];
  let done: Choice | undefined;
  const loosePicked = picked.filter(how.isLoose);
  for (const move of moves) {
    const rest = remaining(move, picked, loosePicked, how);
    if (!rest) continue;
    open.push(move);
    if (rest.length === 0) done ??= move;
    else for (const spot of rest) next.add(spot);
    if (rest.length === 1 && rest[0] !== undefined && picked.length + 1 === move.spots.length) last.add(rest[0]);
  }
  return { next, last, open, done };
}

/** The cells that a piece passes, from where it stands to where it comes to rest; none of a move of loose things. */
export function routeOf({ spots, via = [] }: Choice, { isLoose }: Manner): string[] {
  const [start, ...rest] = spots;
  return start === undefined || !rest.length || spots.some(isLoose) ? [] : [start, ...via, ...rest];
}

/** The spots that may follow `picked` in `move`; empty when it is complete, undefined when it does not fit. */
function remaining(
  move: Choice,
  picked: readonly string[],
  loosePicked: readonly string[],
  { isLoose, alike }: Manner,
): string[] | undefined {
  const loose = move.spots.filter(isLoose);
  if (loose.length === 0) {
    if (picked.length > move.spots.length || picked.some((spot, i) => spot !== move.spots[i])) return undefined;
    const following = move.spots[picked.length];
    return following === undefined ? [] : [following];
  }
  const first = (spot: string) => alike(spot)[0] ?? spot;
  const left = loose.map(first);
  for (const spot of loosePicked) {
    const at = left.indexOf(first(spot));
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  if (left.length) {
    if (picked.length > loosePicked.length) return undefined;
    return left.flatMap(alike).filter((spot) => !picked.includes(spot));
  }
  const fixed = move.spots.filter((spot) => !isLoose(spot));
  const chosen = picked.filter((spot) => !isLoose(spot));
  if (chosen.length > fixed.length || chosen.some((spot, i) => spot !== fixed[i])) return undefined;
  const following = fixed[chosen.length];
  return following === undefined ? [] : [following];
}
