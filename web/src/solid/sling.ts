// Pulling back at a piece: from the press on it to an aim, seen through the camera.

import { type PerspectiveCamera, Vector3 } from "three";

import { aimOf, type Press } from "./aim";
import type { Aim, SolidState } from "./contract";
import type { SolidPiece } from "./pieces";
import type { Stage, Stand } from "./stage";

export class Sling {
  readonly #press: Press;
  readonly #behind: boolean;
  readonly #right: [number, number];
  readonly #near: [number, number];

  /** `at` is the point of the piece that was pressed, or null when it was only near it. */
  constructor(
    readonly stage: Stage,
    readonly stand: Stand,
    readonly piece: SolidPiece,
    at: Vector3 | null,
    readonly from: { x: number; y: number },
    camera: PerspectiveCamera,
    readonly state: SolidState,
  ) {
    const touched = at ? stand.group.worldToLocal(at.clone()).sub(piece.group.position) : null;
    const usual = ((state.aiming?.height.usual ?? 50) / 100) * stage.solid.height;
    this.#press = { aside: touched?.x ?? 0, height: touched?.z ?? usual };
    this.#behind = stand.group.worldToLocal(camera.position.clone()).y > piece.group.position.y;
    const turn = -stand.group.rotation.z;
    const local = (x: number, y: number): [number, number] => [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
    const ahead = camera.getWorldDirection(new Vector3());
    const flat = Math.hypot(ahead.x, ahead.y) || 1;
    const [fx, fy] = [ahead.x / flat, ahead.y / flat];
    // A step towards oneself looks shorter the lower one looks from.
    const stretch = Math.min(1 / Math.max(-ahead.z, 0.2), 2.5);
    this.#right = local(fy, -fx);
    this.#near = local(-fx * stretch, -fy * stretch);
  }

  /** The aim when the pointer has come to a point; null: too near to mean a push. */
  aim(x: number, y: number, reach: number): Aim | null {
    const { aiming } = this.state;
    if (!aiming) return null;
    const [dx, dy] = [x - this.from.x, y - this.from.y];
    const along = (axis: 0 | 1) => this.#right[axis] * dx + this.#near[axis] * dy;
    const pull = { right: along(0), back: along(1), pixels: Math.hypot(dx, dy) };
    return aimOf(this.piece.spot, this.#press, pull, this.#behind, aiming, this.stage.solid, reach);
  }
}
