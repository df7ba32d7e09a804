// The class that somebody at this device has joined: while its lesson lasts, the page looks for tables that are laid there.

import { keep, recall } from "./memory";

const NONE = { id: "", name: "", until: 0 };
/** So long after somebody has looked at their class the page still looks for tables. */
const LESSON = 4 * 3600 * 1000;

class OwnClass {
  #kept = $state.raw(recall("class", NONE));
  readonly id = $derived(this.#kept.until > Date.now() ? this.#kept.id : "");
  readonly name = $derived(this.#kept.name);

  /** The lesson is on. */
  attend(id: string, name: string) {
    this.#kept = { id, name, until: Date.now() + LESSON };
    keep("class", this.#kept);
  }

  leave() {
    this.#kept = NONE;
    keep("class", NONE);
  }
}

export const ownClass = new OwnClass();
