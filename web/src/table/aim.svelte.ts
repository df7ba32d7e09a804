// Aiming by hand: the numbers that somebody has chosen on the scales of a move, and the move that they mean.

import type { Aim } from "../solid/contract";
import type { Aiming, Scale } from "../wire.gen";

/** The scales of an aim, in the order in which one meets them. */
export const SCALES = ["strength", "height", "aside", "turn"] as const;
export type ScaleName = (typeof SCALES)[number];

/** A whole number on a scale; what is no number at all becomes the usual one. */
export function onScale({ least, most, usual }: Scale, value: number): number {
  return Number.isFinite(value) ? Math.min(most, Math.max(least, Math.round(value))) : usual;
}

/** The notation of the move that an aim means; undefined when nothing can be aimed at there. */
export function textOf(aiming: Aiming, aim: Aim): string | undefined {
  const at = aiming.names[aiming.spots.indexOf(aim.spot)];
  if (at === undefined) return undefined;
  const values: Record<string, string> = { at, side: aim.behind ? aiming.from_behind : aiming.from_front };
  for (const name of SCALES) values[name] = String(onScale(aiming[name], aim[name]));
  return aiming.pattern.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

export class Aimer {
  strength = $state(0);
  height = $state(0);
  aside = $state(0);
  turn = $state(0);
  behind = $state(false);
  /** Whether the scales are shown. */
  isOpen = $state(false);
  #scales = "";

  /** What may be aimed at now. Numbers chosen before stay chosen as long as the scales are the same. */
  begin(aiming: Aiming) {
    const scales = JSON.stringify(SCALES.map((name) => aiming[name]));
    if (scales === this.#scales) return;
    this.#scales = scales;
    this.behind = false;
    for (const name of SCALES) this[name] = aiming[name].usual;
  }

  /** Take over the numbers of a pull. */
  take(aiming: Aiming, aim: Aim) {
    for (const name of SCALES) this[name] = onScale(aiming[name], aim[name]);
    this.behind = aim.behind;
  }

  at(spot: string): Aim {
    const { strength, height, aside, turn, behind } = this;
    return { spot, strength, height, aside, turn, behind };
  }
}
