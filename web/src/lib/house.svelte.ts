// What whoever runs the server has decided: what may be said at the tables, who may make an account, which names there are.

import type { HouseInfo } from "../wire.gen";
import { api } from "./api";

class House {
  info = $state.raw<HouseInfo>({});
  readonly chat = $derived(this.info.chat ?? "free");
  readonly phrases = $derived(this.info.phrases ?? []);
  readonly signUp = $derived(this.info.sign_up ?? "open");
  /** The names to choose from; null where people choose freely. */
  readonly names = $derived(this.info.names === "list" ? (this.info.name_list ?? []) : null);

  /** A name that is proposed to somebody: none where names come from a list and this one is not on it. */
  proposed(name: string): string {
    return this.names === null || this.names.includes(name) ? name : "";
  }

  /** Ask anew. Without an answer things stay as they are: the server refuses what may not be done. */
  async load() {
    this.info = await api.house().catch(() => this.info);
  }
}

export const house = new House();
