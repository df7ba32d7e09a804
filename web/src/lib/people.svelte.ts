// Who this client is, and the games there are: asked for once.

import type { GameInfo, Me } from "../wire.gen";
import { api } from "./api";
import { house } from "./house.svelte";
import { knows, learn } from "./messages";

class People {
  me = $state.raw<Me | null>(null);
  games = $state.raw<GameInfo[]>([]);
  trouble = $state("");
  /** How often the page has learnt words of games that it was not built with. */
  lessons = $state(0);

  async load() {
    try {
      const [me, games] = await Promise.all([api.me(), api.games(), house.load()]);
      if (!games.every((game) => knows(game.title))) {
        learn(await api.words());
        this.lessons++;
      }
      [this.me, this.games] = [me, games];
      this.trouble = "";
    } catch (error) {
      this.trouble = (error as Error).message;
    }
  }

  game(name: string | undefined): GameInfo | undefined {
    return this.games.find((game) => game.name === name);
  }
}

export const people = new People();
