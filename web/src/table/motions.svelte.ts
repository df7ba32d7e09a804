// Motions of simulated moves: fetched when somebody wants to see one, and played before the result is shown.

import { api } from "../lib/api";
import { calm } from "../board/motion";
import type { Motion, Shot } from "../solid/contract";
import type { Event, Scene, Update } from "../wire.gen";

/** Something that can show a motion: the board in space or the flat one. */
export interface Projector {
  play(shot: Shot): Promise<void>;
  stop(): void;
}

export type How = Pick<Shot, "speed" | "from">;
const AS_IT_WAS: How = { speed: 1, from: "owner" };
/** How long fetching may take, and how much longer than the motion itself showing it: the camera comes and goes. */
const FETCHING = 1000;
const GRACE = 2000;
/** So many moves in one message are a past to catch up with, not something that happens now. */
const MANY = 6;

/** The event of an update whose motion leads there from what is shown; undefined: more has happened than one move. */
export function motionOf(update: Update, have: number): Event | undefined {
  const moves = update.events.filter((event) => event.kind === "move" && event.n >= have);
  const at = moves.findIndex((event) => event.motion);
  // Before it there is at most the push itself.
  return at > 1 || moves.length > MANY ? undefined : moves[at];
}

/** Whose things a move of nature sets in motion: those of the seat that moved last before it. */
export function pusher(events: readonly Event[], n: number): number | undefined {
  return events.findLast((event) => event.kind === "move" && event.n < n && (event.seat ?? -1) >= 0)?.seat ?? undefined;
}

export class Motions {
  /** What is being played; its scene is shown meanwhile. */
  shot = $state.raw<Shot | null>(null);
  /** Whether it is played because somebody asked to see it again. */
  isAgain = $state(false);
  /** Whether the way to what is shown has been seen: then no piece need travel there a second time. */
  isSeen = $state(false);
  projector: Projector | null = null;
  #kept = new Map<number, Promise<Motion | null>>();
  #run = 0;

  constructor(private readonly id: string) {}

  /**
   * Play what leads to a result that is about to be shown. Never takes much longer than the motion itself; what was
   * played stays on the stage until `clear`, so that nothing jumps back before the result is there.
   */
  async before(n: number, seat: number, scene: Scene): Promise<void> {
    this.isSeen = false;
    if (!this.projector || calm() || document.hidden) return;
    const motion = await within(FETCHING, this.#load(n));
    if (!motion) return;
    await within(GRACE + (1000 * motion.frames) / motion.rate, this.#play({ seat, motion, before: scene, ...AS_IT_WAS }));
  }

  /** Play it once more, however somebody wants to look at it; false if it cannot be had. */
  async again(n: number, seat: number, scene: Scene, how: How): Promise<boolean> {
    const motion = await this.#load(n);
    if (!motion || !this.projector) return false;
    const playing = this.#play({ seat, motion, before: scene, ...how });
    this.isAgain = true;
    if (await playing) this.clear();
    return true;
  }

  /** Show what is to be shown, not how it came to it. */
  clear() {
    this.#run++;
    if (this.shot) this.projector?.stop();
    this.shot = null;
    this.isAgain = false;
  }

  /** True when it was played to its end, and nothing else has been played since. */
  async #play(shot: Shot): Promise<boolean> {
    this.clear();
    const mine = this.#run;
    this.shot = shot;
    this.isSeen = true;
    try {
      await this.projector?.play(shot);
    } catch {
      // It could not be drawn: the result is what matters.
    }
    return mine === this.#run;
  }

  #load(n: number): Promise<Motion | null> {
    const kept = this.#kept.get(n);
    if (kept) return kept;
    const found = Promise.all([import("../solid/motion"), api.motion(this.id, n)])
      .then(([{ decode }, bytes]) => decode(bytes))
      .catch(() => {
        // What could not be fetched now may be there when it is asked for again.
        this.#kept.delete(n);
        return null;
      });
    this.#kept.set(n, found);
    return found;
  }
}

/** What a promise gives, or null when it takes longer. */
function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((done) => (timer = setTimeout(() => done(null), Math.max(0, milliseconds))));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
