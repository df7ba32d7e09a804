// The keyboard on a board: one place has the focus, arrows lead from it to its neighbours.

import { step, WAYS } from "./geometry";
import type { Pointing } from "./pointer.svelte";

export class Keys {
  #focused = $state("");
  /** A mouse or finger was here last: then ← and → are not the board's, but step through the game. */
  #isPointed = $state(false);
  /** Where going up and down began: between slanting rows it stays as near to this as it can. */
  #column = 0;

  constructor(
    private readonly board: Pointing,
    private readonly focus: (spot: string) => void,
  ) {}

  /** Whether the keyboard was here last. */
  get isUsed(): boolean {
    return !this.#isPointed;
  }

  /** The place that Tab leads to. */
  readonly entry = $derived.by(() => {
    const { places, next } = this.board;
    if (places.some((place) => place.spot === this.#focused)) return this.#focused;
    return (places.find((place) => next.has(place.spot)) ?? places[0])?.spot;
  });

  /** This place is meant from now on. */
  point = (spot: string) => {
    this.#focused = spot;
  };

  /** A mouse or finger touches the board. */
  touched = () => {
    this.#isPointed = true;
  };

  /** The keyboard comes to the board, or goes on there. */
  reached = () => {
    this.#isPointed = false;
  };

  /** The browser has moved the focus here. */
  focused = (spot: string) => {
    const place = this.board.places.find((one) => one.spot === spot);
    if (!place || this.#focused === spot) return;
    if (!this.#focused) this.#column = place.x;
    this.#focused = spot;
  };

  press = (event: KeyboardEvent) => {
    if (this.board.still || event.altKey || event.ctrlKey || event.metaKey) return;
    const here = this.board.places.find((place) => place.spot === this.entry);
    if (!here) return;
    // With Shift they always step through the game.
    if (/^Arrow(Left|Right)$/.test(event.key) && (this.#isPointed || event.shiftKey)) return;
    if (event.key in WAYS || event.key === "n" || event.key === "p") this.reached();
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.board.pick(here.spot);
    } else if (event.key === "Escape") {
      // One press lets go of one thing: the page around the board does the same.
      if (this.board.picked.length) event.stopPropagation();
      this.board.drop();
    } else if (event.key === "n" || event.key === "p") this.#hop(here.spot, event.key === "n");
    else {
      const to = step(this.board.places, here, event.key, this.#column);
      if (!to && !event.key.startsWith("Arrow")) return;
      event.preventDefault();
      event.stopPropagation();
      if (!to) return;
      this.focus(to.spot);
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") this.#column = to.x;
    }
  };

  /** To the next place that may be pointed at, or the one before. */
  #hop(from: string, forward: boolean) {
    const { places, next } = this.board;
    const open = places.filter((place) => next.has(place.spot));
    const at = open.findIndex((place) => place.spot === from);
    const to = open.at(forward ? (at + 1) % Math.max(1, open.length) : at < 0 ? -1 : at - 1);
    if (to) this.focus(to.spot);
  }
}
