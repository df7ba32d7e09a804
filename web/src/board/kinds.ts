// What each kind of piece does: how it stands on another, travels and leaves. PieceShape.svelte draws them.

import type { Kind } from "../wire.gen";

interface Manner {
  /** How much higher it stands on another of its kind. */
  rise: number;
  /** How high it goes between two places that are so far apart. */
  lift: (far: number) => number;
  /** Which of two is in front: of things that slip over those below them the upper one. */
  front: "lower" | "upper";
  /** How it leaves. */
  leaves: "fades" | "falls";
  /** How far below its middle it stands: about there it leans over. */
  foot: number;
}

const LYING: Manner = { rise: 0, lift: () => 0, front: "lower", leaves: "fades", foot: 0 };

export const KINDS: Record<Kind, Manner> = {
  cup: { ...LYING, rise: 0.27, lift: () => 0.7 },
  bucket: { rise: 0, lift: () => 0.7, front: "upper", leaves: "falls", foot: 0.4 },
  // A step to the neighbour slides, a jump goes over what is between.
  peg: { ...LYING, lift: (far) => (far > 1.2 ? 0.45 : 0) },
  dome: LYING,
  turned: LYING,
  card: { ...LYING, lift: () => 0.25 },
  back: LYING,
};
