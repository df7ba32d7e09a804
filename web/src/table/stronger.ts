// Another game against a stronger opponent, or after a defeat a gentler one.

import { levelsOf } from "../lib/strength.svelte";
import type { GameInfo, LevelInfo, NewTable, TableInfo } from "../wire.gen";

/**
 * The level that suits after a game against these bots: at least one up for whoever did not lose, else at least one
 * down, and as far as the level that `fits` the person.
 */
export function nextLevel(game: GameInfo, table: TableInfo, hasLost: boolean, fits = ""): LevelInfo | undefined {
  const ladder = levelsOf(game, table.seats.length);
  const played = table.seats.filter((seat) => seat.kind === "bot").map((seat) => ladder.findIndex((one) => one.level === seat.level));
  if (!played.length || played.includes(-1)) return undefined;
  const fit = ladder.findIndex((one) => one.level === fits);
  if (hasLost) return ladder[Math.min(Math.min(...played) - 1, fit < 0 ? Infinity : fit)];
  return ladder[Math.max(Math.max(...played) + 1, fit)];
}

/** The same table with all bots of that level, for the one person who sat at this one. */
export function nextTable(table: TableInfo, level: LevelInfo): NewTable {
  const chosen = Object.entries(table.options).filter(([name]) => table.chosen?.includes(name));
  return {
    game: table.game,
    seats: table.seats.map((seat) => (seat.kind === "bot" ? { kind: "bot", level: level.level } : { kind: "me" })),
    options: Object.fromEntries(chosen),
    clock: table.clock ?? null,
  };
}
