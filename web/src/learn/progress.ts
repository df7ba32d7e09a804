// How far a person has come in the lessons of each game.

import { keep, recall } from "../lib/memory";

export interface Progress {
  /** The step where they stopped; empty: the first. */
  at: string;
  /** The steps that they have done. */
  done: readonly string[];
}

const NAME = "learn";
const NONE: Progress = { at: "", done: [] };

type Kept = Record<string, Partial<Progress> | undefined>;

export function progressOf(game: string): Progress {
  const { at, done } = recall<Kept>(NAME, {})[game] ?? NONE;
  const steps = Array.isArray(done) ? done.filter((one) => typeof one === "string") : [];
  return { at: typeof at === "string" ? at : "", done: steps };
}

export function keepProgress(game: string, progress: Progress) {
  keep(NAME, { ...recall<Kept>(NAME, {}), [game]: progress });
}

/** Whether somebody has done a step of any game here. */
export const isBeginner = () => Object.keys(recall<Kept>(NAME, {})).length === 0;
