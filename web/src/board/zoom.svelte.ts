// On a small screen a finger first brings the board nearer; the whole comes back with the end of the turn.

import type { Box, Point } from "./geometry";
import { UNIT } from "./paint";

export class Zoom {
  #at = $state.raw<(Point & { scale: number }) | null>(null);

  constructor(private readonly box: () => Box) {}

  get isNear(): boolean {
    return this.#at !== null;
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

  whole() {
    this.#at = null;
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
