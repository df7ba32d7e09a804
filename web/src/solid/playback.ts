// A motion as it plays: where every piece and the finger are at a moment, by the clock and not by counted frames.

import { Quaternion } from "three";

import type { Motion, Shot } from "./contract";
import { fingerAt, hasFallen, poseAt } from "./motion";
import type { SolidPiece } from "./pieces";
import type { Stage, Stand } from "./stage";

/** How long a piece takes to be lifted out, and fallen ones to fade, in milliseconds. */
const TAKEN = 420;
const FADED = 650;
const LIFTED = 46;

export class Playback {
  readonly #pieces: (SolidPiece | undefined)[];
  readonly #ahead: [number, number];
  readonly #fallen: boolean[];
  readonly #turn = new Quaternion();
  #began: number | null = null;

  constructor(
    readonly stage: Stage,
    readonly stand: Stand,
    readonly shot: Shot,
  ) {
    const { motion } = shot;
    const cells = stand.part.cells ?? [];
    this.#pieces = motion.places.map((place) => stand.pieces.get(cells[place]?.spot ?? ""));
    this.#ahead = wayOf(motion);
    this.#fallen = motion.places.map((_, piece) => motion.gone[piece]! >= motion.frames && hasFallen(motion, piece, stage.solid.height * 0.8));
  }

  /** How long it takes in all, in milliseconds. */
  get length(): number {
    const { motion, speed } = this.shot;
    const lasting = this.#fallen.some(Boolean) || motion.gone.some((frame) => frame < motion.frames);
    return ((motion.frames - 1) / motion.rate / speed) * 1000 + (lasting ? FADED : 150);
  }

  /** Puts everything where it is at `now`; whether there is more to come. */
  step(now: number): boolean {
    this.#began ??= now;
    const { motion, speed } = this.shot;
    const passed = now - this.#began;
    const frame = (passed / 1000) * motion.rate * speed;
    const after = Math.max(0, passed - ((motion.frames - 1) / motion.rate / speed) * 1000);
    this.#pieces.forEach((piece, i) => piece && this.#put(piece, i, frame, after));
    const at = frame < motion.frames ? fingerAt(motion, frame) : null;
    if (at) this.stage.finger.push(this.stand.group, at, this.#ahead);
    else this.stage.finger.hide();
    return passed < this.length;
  }

  /** Puts everything where it is when all is over. */
  end(): void {
    this.#began = 0;
    this.step(1e9);
  }

  #put(piece: SolidPiece, i: number, frame: number, after: number): void {
    const { motion, speed } = this.shot;
    const gone = motion.gone[i]!;
    const shown = Math.min(frame, gone < motion.frames ? gone : motion.frames - 1);
    const [x, y, z, ...turn] = poseAt(motion, i, shown) as [number, number, number, number, number, number, number];
    let [lift, opacity] = [0, 1];
    if (gone < motion.frames) {
      const share = Math.min(Math.max((((frame - gone) / motion.rate / speed) * 1000) / TAKEN, 0), 1);
      [lift, opacity] = [LIFTED * share * share, 1 - share * share];
    } else if (this.#fallen[i]) opacity = 1 - Math.min(after / (FADED - 80), 1);
    piece.put(x, y, z + lift, this.#turn.set(...turn));
    piece.fade(opacity);
  }
}

/** Which way the finger goes, seen from above. */
function wayOf({ finger, frames }: Motion): [number, number] {
  let first: [number, number] | null = null;
  let best: [number, number] = [0, 0];
  for (let frame = 0; frame < frames; frame++) {
    const [x, y] = [finger[3 * frame]!, finger[3 * frame + 1]!];
    if (Number.isNaN(x)) continue;
    first ??= [x, y];
    const way: [number, number] = [x - first[0], y - first[1]];
    if (Math.hypot(...way) > Math.hypot(...best)) best = way;
  }
  const size = Math.hypot(...best);
  return size ? [best[0] / size, best[1] / size] : [0, 1];
}
