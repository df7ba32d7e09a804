// How fast the moves of bots are shown: at once, calmly, or each when the person asks for the next one.
// Only this page waits: the server goes on, and everybody else sees the table as they like it.

import { prefs } from "../lib/prefs.svelte";
import type { SeatInfo, Update } from "../wire.gen";

export const PACES = ["once", "calm", "step"] as const;
export type PaceName = (typeof PACES)[number];

/** Milliseconds between two moves that are shown calmly. */
const CALM = 1000;
/** A longer row of updates is not worth waiting for: whoever has been away sees how things stand. */
const MANY = { once: 6, calm: 40, step: 40 } as const;
/** So many bots are hard to follow: where nobody has said otherwise they move calmly. */
const CROWD = 3;

export class Pace {
  /** Whether a bot's move waits for the person to ask for it. */
  holds = $state(false);

  #release: (() => void) | null = null;
  #shown = 0;

  constructor(private readonly seats: () => readonly SeatInfo[]) {}

  readonly bots = $derived.by(() => this.seats().filter((seat) => seat.kind === "bot"));
  readonly name: PaceName = $derived.by(() => prefs.pace ?? (this.bots.length < CROWD ? "once" : "calm"));

  /** As soon as so many updates wait, they are shown without pause. */
  readonly most = $derived.by(() => MANY[this.name]);

  choose(name: PaceName) {
    prefs.setPace(name);
    this.next();
  }

  /** Show the move that waits. */
  next() {
    this.#release?.();
  }

  /** What an update has to wait for before it is shown; null: for nothing. Whatever the person did is never held back. */
  before(update: Update, waiting: readonly Update[]): Promise<void> | null {
    const isBots = update.events.some(({ kind, seat }) => kind === "move" && this.bots.some((bot) => bot.seat === seat));
    if (!isBots || [update, ...waiting].some(({ ack }) => ack != null)) return null;
    // A clock goes on while somebody looks: there, nothing is held.
    if (this.name === "step" && !update.times) return this.#hold();
    const rest = this.name === "once" ? 0 : this.#shown + CALM - Date.now();
    return rest > 0 ? new Promise((done) => setTimeout(done, rest)) : null;
  }

  /** A move has been shown. */
  after() {
    this.#shown = Date.now();
  }

  async #hold() {
    this.holds = true;
    await new Promise<void>((done) => (this.#release = done));
    this.#release = null;
    this.holds = false;
  }
}
