// Against whom and at how large a table a game was begun last: remembered on this device, for each game.

import { strength } from "../lib/strength.svelte";
import type { GameInfo, NewTable } from "../wire.gen";

/** Stands for whichever level fits when the game begins. */
export const FITTING = "";

export interface Choice {
  seats: number;
  /** A level, or FITTING. */
  level: string;
}

const key = (game: GameInfo) => `cupboard.play.${game.name}`;

/** What was chosen last; null when nothing was, or it can be had no longer. */
export function remembered(game: GameInfo): Choice | null {
  try {
    const { seats, level } = JSON.parse(localStorage.getItem(key(game)) ?? "null") as Choice;
    const isThere = game.seats.includes(seats) && (level === FITTING || game.levels.some((one) => one.level === level));
    return isThere ? { seats, level } : null;
  } catch {
    return null;
  }
}

export function remember(game: GameInfo, choice: Choice) {
  try {
    localStorage.setItem(key(game), JSON.stringify(choice));
  } catch {
    // A private window may keep nothing.
  }
}

/** The level that is meant; the friendliest there is when nobody knows which one fits. */
export function levelFor(game: GameInfo, choice: Choice): string {
  return choice.level || strength.of(game.name, choice.seats)?.fits || "";
}

/** A table of one person and bots. */
export function tableFor(game: GameInfo, choice: Choice): NewTable {
  const level = levelFor(game, choice);
  const bot = { kind: "bot" as const, ...(level ? { level } : {}) };
  return { game: game.name, seats: Array.from({ length: choice.seats }, (_, i) => (i ? bot : { kind: "me" as const })) };
}
