// Picking the spots of a move one after the other: what is in the hand, and what may follow.

import type { Choice, Part } from "../wire.gen";
import { enter, manner, routeOf, type Entry } from "./entering";

/** What is picked from, and what comes of it. */
export interface Pickable {
  /** The legal moves; none while nobody here may act. */
  moves: () => readonly Choice[];
  parts: () => readonly Part[];
  /** A move is complete. */
  done: (move: Choice) => void;
  /** Something was taken up: what was wrong before is so no longer. */
  taken: () => void;
  /** These spots are no move: why? */
  inquire: (spots: string[]) => void;
}

const endOf = ({ spots }: Choice) => spots.at(-1) ?? "";

export class Picking {
  #picked = $state.raw<string[]>([]);
  /** A move that ends where longer ones only land: the piece waits there, to stop or to go on. */
  held = $state.raw<Choice | null>(null);

  constructor(private readonly from: Pickable) {}

  /** What has been pointed at so far. */
  get picked() {
    return this.#picked;
  }
  set picked(spots: string[]) {
    this.#picked = spots;
    this.held = null;
  }

  readonly #manner = $derived.by(() => manner(this.from.parts()));
  readonly #entered = $derived.by(() => enter(this.from.moves(), this.#picked, this.#manner));
  /** The moves that go on from where the piece waits. */
  readonly onward = $derived.by(() => (this.held ? this.#beyond(this.held) : []));
  readonly entry = $derived.by((): Entry => {
    if (!this.held) return this.#entered;
    const open = [this.held, ...this.onward];
    const next = new Set(open.map(endOf));
    return { next, last: next, open, done: undefined };
  });
  /** The place where the piece waits. */
  readonly rest = $derived.by(() => this.held?.spots.at(-1));

  pick(spot: string) {
    const { isLoose } = this.#manner;
    if (this.held) {
      if (spot === this.rest) return this.stop();
      if (spot === this.#picked[0]) return this.drop();
    } else if (this.#picked.includes(spot) && (isLoose(spot) || this.#picked[0] === spot)) {
      this.picked = isLoose(spot) ? this.#picked.filter((one) => one !== spot) : [];
      return;
    }
    if (this.#entered.next.has(spot)) return this.#take([...this.#picked, spot]);
    // Another piece instead of the one in the hand.
    if (enter(this.from.moves(), [], this.#manner).next.has(spot)) return this.#take([spot]);
    // What was meant together: a piece and its goal, or some cards.
    this.from.inquire([...this.#picked.filter((one) => isLoose(one) === isLoose(spot)), spot]);
    this.picked = [];
  }

  /** Let go: of a piece that waits on its way it comes back to the hand, else everything is put down. */
  drop() {
    this.picked = this.held ? this.#picked : [];
  }

  /** The piece stays where it waits. */
  stop() {
    const { held } = this;
    if (!held) return;
    this.picked = held.spots;
    this.from.done(held);
  }

  /** The way that a piece takes if this is pointed at next; empty when there are several, or nothing travels. */
  way(spot: string): string[] {
    const at = this.#picked.length;
    const found = this.held
      ? this.entry.open.filter((move) => endOf(move) === spot)
      : this.entry.open.filter(({ spots }) => spots[at] === spot);
    const [move] = found;
    return move && found.length === 1 ? routeOf(move, this.#manner) : [];
  }

  #take(spots: string[]) {
    const { done } = enter(this.from.moves(), spots, this.#manner);
    const waits = done && this.#beyond(done).length > 0;
    const [start = ""] = spots;
    this.picked = waits ? [start] : spots;
    if (waits) this.held = done;
    this.from.taken();
    if (done && !waits) this.from.done(done);
  }

  /** The moves of the same piece that only land where this one ends. */
  #beyond(done: Choice): Choice[] {
    const [start, end] = [done.spots[0], endOf(done)];
    return this.from.moves().filter((move) => move.spots[0] === start && move.via?.includes(end));
  }
}
