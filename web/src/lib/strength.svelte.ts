// How strong the person at this page is, and which bots fit: asked for when somebody is about to play, or has played.

import type { GameInfo, LevelInfo, RungInfo, StrengthInfo } from "../wire.gen";
import { api } from "./api";
import { people } from "./people.svelte";

class Strengths {
  /** One for each game and number of seats; empty before they were asked for. */
  all = $state.raw<StrengthInfo[]>([]);

  /** Ask anew. Without an answer nothing is proposed, and everything else works. */
  async load() {
    try {
      this.all = await api.strength();
    } catch {
      // Whoever cannot reach the server is told so elsewhere.
    }
  }

  of(game: string | undefined, seats: number): StrengthInfo | undefined {
    return this.all.find((one) => one.game === game && one.seats === seats);
  }

  /** The level after the one that fits; empty when there is none, or nothing is known. */
  next(game: string | undefined, seats: number): string {
    return this.of(game, seats)?.next ?? "";
  }
}

export const strength = new Strengths();

/** The levels of a game with so many seats, weakest first. */
export function levelsOf(game: GameInfo | undefined, seats: number): LevelInfo[] {
  return game?.levels.filter((level) => level.seats?.includes(seats)) ?? [];
}

/** How a level plays with so many seats. */
export function rungOf(level: LevelInfo | undefined, seats: number): RungInfo | undefined {
  return level?.rungs?.find((rung) => rung.seats === seats);
}

/** The next stronger level of a game; undefined above the strongest. */
export function stronger(game: string | undefined, seats: number, level: string): LevelInfo | undefined {
  const levels = levelsOf(people.game(game), seats);
  const at = levels.findIndex((one) => one.level === level);
  return at < 0 ? undefined : levels[at + 1];
}
