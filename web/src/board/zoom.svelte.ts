// On a small screen the board comes nearer where targets are too close together for a finger, or by two fingers.

import type { Box, Point } from "./geometry";
import { UNIT } from "./paint";

/** Nearer than this helps nobody. */
const MOST = 5;

export class Zoom {
  #isPinched = false;
  #at = $state.raw<(Point & { scale: number }) | null>(null);

  constructor(private readonly box: () => Box) {}

  get isNear(): boolean {
    return this.#at !== null;
  }

  /** How much nearer than the whole. */
  get scale(): number {
    return this.#at?.scale ?? 1;
  }

  /** A transform in CSS. The picture always fills its frame. */
  readonly transform = $derived.by(() => {
    if (!this.#at) return "none";
    const { x, y, scale } = this.#at;
    const { left, top, width, height } = this.box();
    const clamp = (value: number, from: number, size: number) =>
      Math.min(Math.max(value, from + size / 2 / scale), from + size - size / 2 / scale);
    const tx = (left + width / 2 - clamp(x, left, width) * scale) * UNIT;
    const ty = (top + height / 2 - clamp(y, top, height) * scale) * UNIT;
    return `translate(${tx}px, ${ty}px) scale(${scale})`;
  });

  nearer(to: Point, scale: number) {
    this.#at = { x: to.x, y: to.y, scale };
  }

  /** As near as two fingers say: it stays so until somebody wants the whole again. */
  pinch(to: Point, scale: number) {
    if (scale < 1.05) return this.whole();
    this.#isPinched = true;
    this.nearer(to, Math.min(scale, MOST));
  }

  whole() {
    this.#at = null;
    this.#isPinched = false;
  }

  /** What it came nearer for is done. */
  settle() {
    if (!this.#isPinched) this.whole();
  }

  /** By a drag, in units of the board. */
  pan(dx: number, dy: number) {
    if (this.#at) this.#at = { ...this.#at, x: this.#at.x - dx, y: this.#at.y - dy };
  }

  /** All of `points` in sight if they fit, else as many as can be around `middle`; the rest is a drag away. */
  show(points: readonly Point[], middle: Point) {
    if (!this.#at) return;
    const { scale } = this.#at;
    const { width, height } = this.box();
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const fits = right - left < width / scale - 1 && bottom - top < height / scale - 1;
    this.nearer(fits ? { x: (right + left) / 2, y: (bottom + top) / 2 } : middle, scale);
  }
}
