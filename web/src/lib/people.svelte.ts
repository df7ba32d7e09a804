// Who this client is, and the games there are: asked for once.

import type { GameInfo, Me } from "../wire.gen";
import { api } from "./api";

class People {
  me = $state.raw<Me | null>(null);
  games = $state.raw<GameInfo[]>([]);
  trouble = $state("");

  async load() {
    try {
      [this.me, this.games] = await Promise.all([api.me(), api.games()]);
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
