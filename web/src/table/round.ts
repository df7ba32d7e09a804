// Where the players sit round the board, and who is next. At a table the next seat is to the left: clockwise from above.

import type { Part, PlayerPanel, Scene } from "../wire.gen";

/** The seats by the side of the board where they sit, each list clockwise. */
export interface Round {
  bottom: number[];
  left: number[];
  top: number[];
  right: number[];
}

/** How many of the others sit to the left, beyond the board and to the right, by how many they are. */
const SIDES: Record<number, readonly [number, number, number]> = { 2: [1, 0, 1], 3: [1, 1, 1], 4: [2, 0, 2], 5: [2, 1, 2] };

/**
 * Everybody in the order of the seats, which is clockwise, with `near` (or the first) before the board. Without
 * `sides` there is only room beyond it and before it, and all others sit beyond it. Nobody is near who sits `beyond`.
 */
export function roundOf(seats: readonly number[], near: number | null, sides: boolean, beyond = false): Round {
  const start = Math.max(0, near === null ? 0 : seats.indexOf(near));
  const half = beyond ? Math.floor(seats.length / 2) : 0;
  const all = [...seats, ...seats, ...seats].slice(start + half, start + half + seats.length);
  const [bottom, others] = [all.slice(0, 1), all.slice(1)];
  const counts = sides ? SIDES[others.length] : undefined;
  if (!counts) return { bottom, left: [], top: others, right: [] };
  const [left, top] = counts;
  return { bottom, left: others.slice(0, left), top: others.slice(left, left + top), right: others.slice(left + top) };
}

/**
 * Whether the places of the first seat lie on the lower half of a common board: they are where its pieces go, so it
 * sits beyond the board for anybody who looks on.
 */
export function sitsBeyond(parts: readonly Part[], first: PlayerPanel | undefined): boolean {
  const cells = parts.filter((part) => part.owner == null).flatMap((part) => part.cells ?? []);
  const goals = cells.filter((cell) => cell.tint && cell.tint === first?.tint);
  const middle = (some: typeof cells) => some.reduce((sum, cell) => sum + cell.y, 0) / Math.max(1, some.length);
  return goals.length > 0 && middle(goals) > middle(cells) + 0.5;
}

/** The seat that acts after the one that acts now; undefined when nobody can say, or there are only two. */
export function nextOf({ players, direction }: Pick<Scene, "players" | "direction">): number | undefined {
  const actors = players.filter((line) => line.acts);
  const actor = actors[0];
  if (actors.length !== 1 || !actor || !direction || players.length < 3) return undefined;
  if (actor.attacks != null) return actor.attacks;
  const from = players.indexOf(actor);
  // Whoever has a note, such as "sits out", is passed over.
  const others = players.map((_, i) => players[(from + direction * (i + 1) + 2 * players.length) % players.length]);
  return others.find((line) => line && line !== actor && !line.note)?.seat;
}
