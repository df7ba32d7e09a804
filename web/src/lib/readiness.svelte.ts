// How far the games are that the server compiles, the first time on a machine: asked for only while one is not ready.

import type { GameReadiness } from "../wire.gen";

const PAUSE = 1000;

class Readiness {
  games = $state.raw<GameReadiness[]>([]);
  /** The game whose table is asked for just now, and begins as soon as it can. */
  chosen = $state("");
  /** Whether a game was not ready when the page came. */
  waited = $state(false);
  readonly ready = $derived(this.games.every((game) => game.state === "ready"));
  /** The longest guess for each game, against which its progress is shown. */
  #most = new Map<string, number>();

  of(name: string): GameReadiness | undefined {
    return this.games.find((game) => game.game === name);
  }

  /** Which part of the waiting for a game is over, from 0 to 1. */
  done(game: GameReadiness): number {
    const most = this.#most.get(game.game) ?? 0;
    return most ? 1 - (game.seconds ?? 0) / most : 0;
  }

  /** Ask until every game is ready; returns a function that ends it. */
  watch(ask: () => Promise<GameReadiness[]>): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const look = async () => {
      if (!document.hidden) {
        try {
          this.#learn(await ask());
        } catch {
          // The page says elsewhere that the server is away, and asks again.
        }
      }
      if (!ended && !(this.games.length && this.ready)) timer = setTimeout(() => void look(), PAUSE);
    };
    void look();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }

  #learn(games: GameReadiness[]) {
    for (const { game, seconds = 0 } of games) this.#most.set(game, Math.max(this.#most.get(game) ?? 0, seconds));
    this.games = games;
    if (!this.ready) this.waited = true;
  }
}

export const readiness = new Readiness();
