// How well things are drawn: as well as this machine can at a fair pace, found out by its own frame times.

/** How one level is drawn. */
export interface Level {
  hasShadows: boolean;
  /** Pixels drawn for each pixel of the page, at most. */
  density: number;
}

export const LEVELS: readonly Level[] = [
  { hasShadows: true, density: 2 },
  { hasShadows: false, density: 1.5 },
  { hasShadows: false, density: 1 },
  { hasShadows: false, density: 0.66 },
  { hasShadows: false, density: 0.45 },
];
/** Frames that take longer than this, in milliseconds, are too few. */
const SLOW = 40;
/** With everything off, this is no motion any more. */
const HOPELESS = 2500;
/** So many frames decide, fewer when they are very slow; the first ones after a change compile programs and say nothing. */
const COUNT = 6;
const FEW = 2;
const SKIPPED = 1;
const VERY_SLOW = 3 * SLOW;

/** The middle one and the one that 95 of 100 do not reach. */
export function paceOf(times: readonly number[]): { median: number; p95: number } | null {
  if (!times.length) return null;
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { median: at(0.5), p95: at(0.95) };
}

/** What this page has found out already: a view that is opened again begins there. */
let known = 0;

/** Watches frame times and lowers the level when they are too long. It never rises again, so it never flips. */
export class Quality {
  #skipped = 0;
  #times: number[] = [];

  constructor(public level = known) {}

  get now(): Level {
    return LEVELS[this.level]!;
  }

  /** Takes in the time of one frame; says what follows from it. */
  note(ms: number): "keep" | "lower" | "hopeless" {
    if (this.#skipped < SKIPPED) {
      this.#skipped++;
      return "keep";
    }
    this.#times.push(ms);
    const isClear = this.#times.length >= FEW && this.#times.every((time) => time > VERY_SLOW) && this.level < LEVELS.length - 1;
    if (this.#times.length < COUNT && !isClear) return "keep";
    const median = paceOf(this.#times)!.median;
    this.#times = [];
    if (median <= SLOW) return "keep";
    if (this.level < LEVELS.length - 1) {
      // Much too slow needs more than one step: a motion has few frames then, and pixels are what costs most.
      const steps = median > 2 * VERY_SLOW ? LEVELS.length : median > VERY_SLOW ? 2 : 1;
      this.level = Math.min(this.level + steps, LEVELS.length - 1);
      this.#skipped = 0;
      known = Math.max(known, this.level);
      return "lower";
    }
    return median > HOPELESS ? "hopeless" : "keep";
  }
}
