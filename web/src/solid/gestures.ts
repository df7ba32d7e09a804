// What fingers and mouse do on the canvas, in words: tap, turn, pull, come nearer. Pixels from its upper left corner.

export interface Hands {
  /** Whether a press here may become a pull, as of a sling. */
  press(x: number, y: number): boolean;
  tap(x: number, y: number): void;
  turn(right: number, down: number): void;
  /** Let go while turning: so many pixels a millisecond. */
  fling(right: number, down: number): void;
  zoom(factor: number, x: number, y: number): void;
  pull(x: number, y: number): void;
  release(x: number, y: number): void;
  cancel(): void;
  hover(x: number, y: number): void;
}

type Mode = "idle" | "press" | "turn" | "pull" | "pinch" | "over";
type Point = { x: number; y: number };

/** So many pixels are still a tap. */
const STILL = 7;

/** Listens to a canvas until `close`. */
export class Gestures {
  readonly #pointers = new Map<number, Point>();
  readonly #ending = new AbortController();
  #mode: Mode = "idle";
  #start: Point = { x: 0, y: 0 };
  #mayPull = false;
  #spread = 1;
  #speed: Point & { at: number } = { x: 0, y: 0, at: 0 };

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly hands: Hands,
  ) {
    const on = <K extends keyof HTMLElementEventMap>(type: K, listen: (event: HTMLElementEventMap[K]) => void) =>
      canvas.addEventListener(type, listen, { signal: this.#ending.signal, passive: false });
    // Dragging turns the table; the page must not scroll with it.
    canvas.style.touchAction = "none";
    on("pointerdown", (event) => this.#down(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#up(event));
    on("pointercancel", (event) => this.#lost(event));
    on("wheel", (event) => this.#wheel(event));
    window.addEventListener("keydown", (event) => this.#key(event), { signal: this.#ending.signal, capture: true });
  }

  close(): void {
    this.#ending.abort();
    this.canvas.style.touchAction = this.canvas.style.cursor = "";
  }

  #point(event: MouseEvent): Point {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const at = this.#point(event);
    this.#pointers.set(event.pointerId, at);
    this.canvas.setPointerCapture?.(event.pointerId);
    if (this.#pointers.size === 1) {
      [this.#mode, this.#start] = ["press", at];
      this.#speed = { x: 0, y: 0, at: event.timeStamp };
      this.#mayPull = this.hands.press(at.x, at.y);
    } else if (this.#pointers.size === 2) {
      if (this.#mode === "pull") this.hands.cancel();
      this.#mode = "pinch";
      this.#spread = this.#between().spread;
    }
  }

  #move(event: PointerEvent): void {
    const at = this.#point(event);
    const before = this.#pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") this.hands.hover(at.x, at.y);
      return;
    }
    this.#pointers.set(event.pointerId, at);
    if (this.#mode === "press" && Math.hypot(at.x - this.#start.x, at.y - this.#start.y) > STILL) this.#mode = this.#mayPull ? "pull" : "turn";
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    if (this.#mode === "turn") {
      const took = Math.max(event.timeStamp - this.#speed.at, 1);
      this.#speed = { x: dx / took, y: dy / took, at: event.timeStamp };
      this.hands.turn(dx, dy);
    } else if (this.#mode === "pull") this.hands.pull(at.x, at.y);
    else if (this.#mode === "pinch") {
      const { spread, x, y } = this.#between();
      this.hands.zoom(this.#spread / spread, x, y);
      this.hands.turn(dx / 2, dy / 2);
      this.#spread = spread;
    }
  }

  #up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId)) return;
    const at = this.#point(event);
    const mode = this.#mode;
    // One of two fingers goes: the other turns nothing by accident.
    this.#mode = this.#pointers.size ? "over" : "idle";
    if (mode === "press") this.hands.tap(at.x, at.y);
    else if (mode === "pull") this.hands.release(at.x, at.y);
    else if (mode === "turn" && event.timeStamp - this.#speed.at < 60) this.hands.fling(this.#speed.x, this.#speed.y);
  }

  #lost(event: PointerEvent): void {
    this.#pointers.delete(event.pointerId);
    if (this.#mode === "pull") this.hands.cancel();
    this.#mode = this.#pointers.size ? "over" : "idle";
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "Escape" || this.#mode !== "pull") return;
    // It lets go of the pull and of nothing else.
    event.stopPropagation();
    event.preventDefault();
    this.#mode = "over";
    this.hands.cancel();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.#point(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.hands.zoom(Math.exp(Math.min(Math.max(event.deltaY * lines, -120), 120) * 0.0016), x, y);
  }

  #between(): Point & { spread: number } {
    const [a, b] = [...this.#pointers.values()] as [Point, Point];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 10) };
  }
}
