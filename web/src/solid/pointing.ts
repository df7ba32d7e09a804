// What pointing at the table does: turning it, coming nearer, picking things, pulling back at a piece.

import { MathUtils, Plane, Raycaster, Vector2, Vector3 } from "three";

import type { Aim, SolidEvents, SolidState } from "./contract";
import type { Hands } from "./gestures";
import type { Overlay } from "./overlay";
import type { Rig } from "./rig";
import { Sling } from "./sling";
import type { Stage } from "./stage";
import { meant, REACH, type Target } from "./targets";

/** What there is to point at now, and what follows from it. */
export interface Pointable {
  readonly stage: Stage | null;
  readonly state: SolidState | null;
  readonly isPlaying: boolean;
  readonly size: { width: number; height: number };
  project(at: Vector3): { x: number; y: number };
  /** Somebody looks another way: how one looked before a motion no longer matters. */
  looked(): void;
  /** The aim has changed. */
  aimed(): void;
}

/** Degrees that a pixel turns the table, and tilts it. */
const TURN = 0.32;
const TILT = 0.24;

export class Pointing implements Hands {
  /** The aim of a pull that is under way. */
  aim: Aim | null = null;
  #sling: Sling | null = null;
  #fling: { x: number; y: number; at: number } | null = null;
  readonly #ray = new Raycaster();

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly events: SolidEvents,
    readonly rig: Rig,
    readonly overlay: Overlay,
    readonly on: Pointable,
  ) {}

  get isPulling(): boolean {
    return this.#sling !== null;
  }

  turn(right: number, down: number): void {
    this.still();
    this.#swing(right, down, performance.now());
    this.on.looked();
  }

  fling(x: number, y: number): void {
    if (this.on.state?.isCalm || Math.hypot(x, y) < 0.15) return;
    this.#fling = { x: MathUtils.clamp(x, -2, 2), y: MathUtils.clamp(y, -2, 2), at: performance.now() };
    this.on.looked();
  }

  /** The table stops turning by itself. */
  still(): void {
    this.#fling = null;
  }

  /** The table turns on a little after it was let go; whether it still does. */
  glide(now: number): boolean {
    const fling = this.#fling;
    if (!fling) return false;
    const took = Math.min(now - fling.at, 60);
    this.#swing(fling.x * took, fling.y * took, now);
    const slower = Math.exp(-took / 160);
    this.#fling = Math.hypot(fling.x, fling.y) * slower < 0.02 ? null : { x: fling.x * slower, y: fling.y * slower, at: now };
    return this.#fling !== null;
  }

  #swing(right: number, down: number, now: number): void {
    const { look, elevation } = this.rig;
    this.rig.go({ azimuth: look.azimuth - right * TURN, elevation: elevation + down * TILT }, now, 0);
  }

  zoom(factor: number, x: number, y: number): void {
    const { stage } = this.on;
    if (!stage) return;
    this.still();
    this.#aimRay(x, y);
    const at = this.#ray.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -stage.solid.height), new Vector3());
    this.rig.zoom(factor, at, stage.ring.radius, performance.now());
    this.on.looked();
  }

  #aimRay(x: number, y: number): void {
    const { width, height } = this.on.size;
    this.rig.step(performance.now());
    this.#ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.rig.camera);
  }

  /** What is under a point; `at` is null for what is held before the table. */
  #hit(x: number, y: number): { spot: string; at: Vector3 | null } | null {
    const held = this.overlay.hit(x, y);
    if (held !== null) return { spot: held, at: null };
    this.#aimRay(x, y);
    return this.on.stage?.hit(this.#ray) ?? null;
  }

  *#targets(): Iterable<Target> {
    for (const [spot, at] of this.on.stage?.middles() ?? []) yield { spot, ...this.on.project(at) };
    yield* this.overlay.held;
  }

  press(x: number, y: number): boolean {
    this.still();
    const { stage, state, isPlaying } = this.on;
    if (!stage || !state?.aiming || isPlaying) return false;
    const hit = this.#hit(x, y);
    if (hit && !hit.at) return false;
    const spots = new Set(state.aiming.spots);
    const isOn = hit !== null && spots.has(hit.spot);
    // Somebody who presses beside things wants to turn the table: only what is nearly under the finger counts.
    const near = [...this.#targets()].filter((target) => Math.hypot(target.x - x, target.y - y) < REACH / 2);
    const spot = isOn ? hit.spot : meant(hit?.spot ?? null, x, y, near, spots);
    const found = spot !== null && spots.has(spot) ? stage.find(spot) : null;
    if (!found) return false;
    this.#sling = new Sling(stage, found.stand, found.piece, isOn ? hit.at : null, { x, y }, this.rig.camera, state);
    return true;
  }

  tap(x: number, y: number): void {
    this.#sling = null;
    const { state, isPlaying } = this.on;
    if (!state || isPlaying) return;
    const spot = meant(this.#hit(x, y)?.spot ?? null, x, y, this.#targets(), state.next);
    if (spot !== null) this.events.pick(spot);
  }

  /** So many pixels are the hardest push. */
  get #reach(): number {
    const { width, height } = this.on.size;
    return MathUtils.clamp(0.34 * Math.min(width, height), 100, 210);
  }

  pull(x: number, y: number): void {
    if (!this.#sling) return;
    const aim = this.#sling.aim(x, y, this.#reach);
    if (JSON.stringify(aim) === JSON.stringify(this.aim)) return;
    this.aim = aim;
    this.on.aimed();
    this.events.aim(aim);
  }

  release(x: number, y: number): void {
    const aim = this.#sling?.aim(x, y, this.#reach) ?? null;
    if (!aim) return this.cancel();
    this.forget();
    this.on.aimed();
    this.events.release(aim);
  }

  /** Lets go of a pull without a push. */
  cancel(): void {
    if (!this.#sling) return;
    this.forget();
    this.on.aimed();
    this.events.aim(null);
  }

  /** Drops a pull and says nothing. */
  forget(): void {
    [this.#sling, this.aim] = [null, null];
  }

  hover(x: number, y: number): void {
    const { state, isPlaying } = this.on;
    if (!state || isPlaying || this.rig.isMoving) return;
    const spot = this.#hit(x, y)?.spot;
    const canAim = spot !== undefined && state.aiming?.spots.includes(spot);
    this.canvas.style.cursor = canAim ? "crosshair" : spot !== undefined && state.next.has(spot) ? "pointer" : "grab";
  }
}
