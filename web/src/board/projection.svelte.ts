// A simulated motion on the flat board: what is to be seen of it from the front, frame by frame.

import type { Motion, Shot } from "../solid/contract";
import type { Piece, Solid } from "../wire.gen";

/** How far from its place a piece is drawn, in units of the board, turned by degrees to the right about its foot. */
export interface Moved {
  dx: number;
  dy: number;
  turn: number;
  /** 1: there; 0: gone. */
  opacity: number;
}

const NOWHERE: ReadonlyMap<string, Moved> = new Map();
const POSE = 7;
/** How long a piece that is taken away fades, in seconds. */
const FADE = 0.3;

/** How a piece stands askew, as seen from the front; undefined: it stands straight, or nobody knows how large it is. */
export function askew({ pose = [] }: Piece, solid: Solid | null | undefined): Moved | undefined {
  const [right = 0, , up = 0, , tilt = 0] = pose;
  if (!solid || !pose.length) return undefined;
  return { dx: right / 100 / solid.across, dy: -up / 100 / solid.height, turn: tilt / 100, opacity: 1 };
}

/** Where the pieces of a shot are in one of its frames, by their spots. */
export function project({ motion, before, seat }: Shot, frame: number): ReadonlyMap<string, Moved> {
  const cells = before.parts.find((part) => part.owner === seat && part.role === "place")?.cells ?? [];
  const { solid } = before;
  const [corner] = cells;
  const found = new Map<string, Moved>();
  if (!solid || !corner) return found;
  motion.places.forEach((place, p) => {
    const cell = cells[place];
    if (!cell) return;
    const { x, z, turn } = pose(motion, p, frame);
    found.set(cell.spot, {
      dx: x / solid.across - (cell.x - corner.x),
      dy: -z / solid.height - (cell.y - corner.y),
      turn,
      opacity: opacity(motion, p, frame),
    });
  });
  return found;
}

/** The foot of a piece in millimetres, and how far its axis leans to the right. */
function pose({ poses, frames }: Motion, p: number, frame: number): { x: number; z: number; turn: number } {
  const at = POSE * (p * frames + frame);
  const [x = 0, , z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = poses.subarray(at, at + POSE);
  const [right, up] = [2 * (qx * qz + qw * qy), 1 - 2 * (qx * qx + qy * qy)];
  return { x, z, turn: (Math.atan2(right, up) * 180) / Math.PI };
}

function opacity({ gone, rate }: Motion, p: number, frame: number): number {
  return Math.max(0, Math.min(1, 1 - (frame - (gone[p] ?? frame)) / (FADE * rate)));
}

export class Projection {
  /** Where pieces are that are not in their places. */
  moved = $state.raw(NOWHERE);
  #over: (() => void) | undefined;
  #next = 0;

  play(shot: Shot): Promise<void> {
    this.stop();
    const { frames, rate } = shot.motion;
    let began: number | undefined;
    return new Promise((done) => {
      this.#over = done;
      const draw = (now: number) => {
        began ??= now;
        const frame = Math.floor(((now - began) / 1000) * rate * shot.speed);
        this.moved = project(shot, Math.min(frame, frames - 1));
        if (frame < frames) this.#next = requestAnimationFrame(draw);
        else this.#over?.();
      };
      this.#next = requestAnimationFrame(draw);
    });
  }

  stop() {
    cancelAnimationFrame(this.#next);
    this.moved = NOWHERE;
    this.#over?.();
    this.#over = undefined;
  }
}
