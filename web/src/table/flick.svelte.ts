// Pushing something by hand at a table: what is aimed at, the push itself, and looking again at what came of it.

import { say, t } from "../lib/messages";
import type { Aim } from "../solid/contract";
import type { Event } from "../wire.gen";
import { Aimer, textOf } from "./aim.svelte";
import { pusher, type How } from "./motions.svelte";
import type { Table } from "./table.svelte";

export class Flick {
  readonly aimer = new Aimer();
  /** Whether somebody is pulling back at a piece. */
  #isPulling = $state(false);

  constructor(private readonly table: Table) {}

  /** The piece that is taken up and may be pushed; null: none. */
  readonly spot = $derived.by(() => {
    const { aiming, picked, mayAct, waiting, steps } = this.table;
    const [spot] = picked;
    if (!aiming || !mayAct || waiting || steps.isBack || spot === undefined || picked.length > 1) return null;
    return aiming.spots.includes(spot) ? spot : null;
  });
  /** How it would be pushed, while somebody is at it. */
  readonly aim = $derived.by(() =>
    this.spot !== null && (this.aimer.isOpen || this.#isPulling) ? this.aimer.at(this.spot) : null,
  );

  /** Push the piece that is taken up. */
  push = () => {
    if (this.spot !== null) this.#send(this.aimer.at(this.spot));
  };

  /** Somebody pulls back at a piece of the board in space, or has let go of it without a push (null). */
  pull = (aim: Aim | null) => {
    const { aiming, mayAct, waiting, steps } = this.table;
    this.#isPulling = aim !== null;
    if (!aim || !aiming || !mayAct || waiting || steps.isBack || !aiming.spots.includes(aim.spot)) return;
    this.aimer.take(aiming, aim);
    if (this.spot !== aim.spot) this.table.picked = [aim.spot];
  };

  release = (aim: Aim) => {
    this.pull(aim);
    this.#isPulling = false;
    if (this.spot === aim.spot) this.#send(aim);
  };

  #send(aim: Aim) {
    const { aiming } = this.table;
    const text = aiming && textOf(aiming, aim);
    if (text) this.table.make(text);
  }

  /** Nature's move that can be looked at again: the last one until somebody moves, or the one that was stepped to. */
  readonly last = $derived.by((): Event | undefined => {
    const { made, steps, awaited } = this.table;
    if (steps.isBack) {
      const version = steps.shown?.version ?? 0;
      const at = made.findLastIndex((event) => event.n < version);
      // One may look at the push itself or at what came of it.
      return [made[at], made[at + 1]].find((event) => event?.motion);
    }
    const found = made.findLast((event) => event.motion || event.n === awaited);
    return made.some((event) => event.n > (found?.n ?? 0) && (event.seat ?? -1) >= 0) ? undefined : found;
  });
  /** What the rules make of it, in a sentence. */
  readonly judgement = $derived.by(() => say(this.last?.words));

  async watch(how: How) {
    const { table, last } = this;
    const seat = last && pusher(table.made, last.n);
    if (!last || seat === undefined) return;
    const before = await table.steps.before(last.n, table.info?.version ?? 0);
    const isPlayed = before && (await table.motions.again(last.n, seat, before, how));
    if (!isPlayed) table.say(t("watch.gone"));
  }
}
