// What the table page and the three-dimensional view ask of each other. The view is loaded only when it is wanted.

import type { Aiming, Scene } from "../wire.gen";

/** A push by hand, on the scales of `Aiming`. */
export interface Aim {
  spot: string;
  strength: number;
  height: number;
  aside: number;
  turn: number;
  behind: boolean;
}

/** What the view shows: everything it needs to know of the table, given anew whenever something has changed. */
export interface SolidState {
  scene: Scene;
  /** The seat that sits nearest; null: nobody's. */
  seat: number | null;
  /** What each player is called, by seat. */
  names: ReadonlyMap<number, string>;
  /** What may be pointed at now, what has been pointed at, and what a hint points at. */
  next: ReadonlySet<string>;
  picked: readonly string[];
  hinted: readonly string[];
  /** What the keyboard is at; null: nothing. */
  focused?: string | null;
  /** How to aim, if this client may push something now. */
  aiming: Aiming | null;
  /** The aim as the page's sliders have it, to be shown as an arrow at its piece; null: none. */
  aim: Aim | null;
  isDark: boolean;
  /** No motion but the simulated one when it is asked for. */
  isCalm: boolean;
}

/** A decoded motion (docs/motion.md). */
export interface Motion {
  frames: number;
  rate: number;
  /** The frame at which hands take pieces away; `frames` if they never do. */
  cut: number;
  /** For each piece its index in the cells of its owner's part. */
  places: number[];
  /** For each piece the frame from which on it is gone. */
  gone: number[];
  /** x, y, z in millimetres for each frame; NaN where there is no finger. */
  finger: Float32Array;
  /** For piece p and frame f at 7 * (p * frames + f): x, y, z in millimetres, then the quaternion x, y, z, w. */
  poses: Float32Array;
}

export interface Shot {
  /** Whose pieces move. */
  seat: number;
  motion: Motion;
  /** The scene before, whose pieces move. */
  before: Scene;
  /** 1: as it was; 0.25: four times slower. */
  speed: number;
  /** Where it is looked at from: "owner", "behind", or "side". */
  from: "owner" | "behind" | "side";
}

export interface SolidEvents {
  /** Somebody pointed at a spot of the scene: a piece, a card. */
  pick(spot: string): void;
  /** Somebody is pulling back at a piece; null: let go without a push. */
  aim(aim: Aim | null): void;
  /** Somebody has let go: push. */
  release(aim: Aim): void;
  /** Drawing failed for good (the context is lost, or too slow even with everything off): go back to the flat board. */
  fail(why: string): void;
}

export interface SolidView {
  show(state: SolidState): void;
  /** Plays a motion; resolves when it is over or was stopped by `show` of another table, `stop` or a second `play`. */
  play(shot: Shot): Promise<void>;
  stop(): void;
  /** Turn the table by degrees, look higher or lower; the page's keys and buttons do it, dragging does it too. */
  turn(right: number, up: number): void;
  /** Look at one seat's pieces from near, or at the whole table (null). */
  look(seat: number | null): void;
  /** Frame times of the last motion in milliseconds: median and 95th percentile; null before the first. */
  readonly pace: { median: number; p95: number } | null;
  close(): void;
}

/** `web/src/solid/view.ts` exports it as `open`. */
export type OpenSolidView = (canvas: HTMLCanvasElement, events: SolidEvents) => SolidView;
