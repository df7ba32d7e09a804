// Mouse and finger: taps, drags of pieces, what the mouse is over, and on a small screen the nearer picture.

import { tick } from "svelte";
import { nearest, type Point } from "./geometry";
import { UNIT } from "./paint";
import type { Place } from "./places";
import type { Zoom } from "./zoom.svelte";

/** What gestures ask of a board and tell it. */
export interface Pointing {
  readonly places: readonly Place[];
  /** What may be pointed at next. */
  readonly next: ReadonlySet<string>;
  /** What makes a move at once. */
  readonly last: ReadonlySet<string>;
  readonly picked: readonly string[];
  /** Where the piece in the hand waits on its way, if it does. */
  readonly rest: string | undefined;
  readonly still: boolean;
  pick(spot: string): void;
  drop(): void;
}

/** Least pixels of what a finger can hit. */
const TAP = 44;
/** Pixels that a hand trembles. */
const TREMOR = 7;

interface Press {
  id: number;
  x: number;
  y: number;
  spot: string | undefined;
  moved: boolean;
  pan: boolean;
}

export class Pointer {
  /** The piece in the hand, and how far it is from its place, in pixels of the board. */
  carried = $state.raw<{ spot: string; dx: number; dy: number } | null>(null);
  /** The place that the mouse is over, or that a carried piece would go to. */
  aimed = $state("");
  #press: Press | null = null;
  /** Where the fingers on the board are, by their ids. */
  #fingers = new Map<number, Point>();
  #pinch: { apart: number; scale: number; middle: Point } | null = null;

  constructor(
    private readonly board: Pointing,
    private readonly zoom: Zoom,
    /** The frame, and the picture in it, which may be on its way from one size to another. */
    private readonly drawn: () => { frame: SVGSVGElement; picture: SVGGElement },
    private readonly onpoint: (spot: string) => void,
  ) {}

  down = (event: PointerEvent) => {
    if (this.board.still || event.button !== 0) return;
    if (event.pointerType === "touch") this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.#fingers.size === 2) return this.#spread();
    const spot = this.#meant(this.#where(event));
    this.#press = { id: event.pointerId, x: event.clientX, y: event.clientY, spot, moved: false, pan: false };
  };

  move = (event: PointerEvent) => {
    if (this.#fingers.has(event.pointerId)) {
      this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.#pinch) return this.zoom.pinch(this.#pinch.middle, (this.#pinch.scale * this.#apart()) / this.#pinch.apart);
    }
    const press = this.#press;
    if (!press && event.pointerType === "mouse") this.aimed = this.#meant(this.#where(event)) ?? "";
    if (!press || press.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.moved && Math.hypot(dx, dy) < TREMOR) return;
    const where = this.#where(event);
    if (!press.moved) this.#grasp(press);
    if (this.carried) {
      this.carried = { ...this.carried, dx: (dx * UNIT) / where.unit, dy: (dy * UNIT) / where.unit };
      this.aimed = this.#goal(this.carried.spot, where)?.spot ?? "";
    } else if (press.pan) {
      this.zoom.pan(dx / where.unit, dy / where.unit);
      [press.x, press.y] = [event.clientX, event.clientY];
    }
  };

  up = (event: PointerEvent) => {
    const press = this.#press;
    this.#lift(event);
    if (!press || press.id !== event.pointerId) return;
    this.#press = null;
    const where = this.#where(event);
    if (this.carried) return this.#put(this.carried.spot, where);
    if (press.moved) return;
    const byFinger = event.pointerType === "touch";
    // What cannot be undone is not done by a finger that covers two places.
    if (byFinger && !this.zoom.isNear && press.spot && this.board.last.has(press.spot) && this.#isCrowded()) {
      this.zoom.nearer(where, this.#scale());
      return;
    }
    void this.#take(press.spot, byFinger);
  };

  cancel = (event: PointerEvent) => {
    this.#lift(event);
    this.#press = null;
    if (!this.carried) return;
    this.carried = null;
    this.aimed = "";
    this.board.drop();
  };

  leave = () => {
    if (!this.carried) this.aimed = "";
  };

  /** A second finger: from now on the two of them say how near the board is. */
  #spread() {
    this.#press = null;
    if (this.carried) this.board.drop();
    this.carried = null;
    const [a, b] = [...this.#fingers.values()];
    if (!a || !b) return;
    const { x, y } = this.#where({ clientX: (a.x + b.x) / 2, clientY: (a.y + b.y) / 2 });
    this.#pinch = { apart: Math.max(1, this.#apart()), scale: this.zoom.scale, middle: { x, y } };
  }

  #apart(): number {
    const [a, b] = [...this.#fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  #lift({ pointerId }: PointerEvent) {
    this.#fingers.delete(pointerId);
    if (this.#fingers.size < 2) this.#pinch = null;
  }

  /** The first movement of a press: a piece comes along, or the nearer picture moves. */
  #grasp(press: Press) {
    press.moved = true;
    this.drawn().frame.setPointerCapture(press.id);
    const { places, picked, next } = this.board;
    const spot = press.spot;
    const place = places.find((one) => one.spot === spot);
    if (place?.top && (picked.includes(place.spot) || next.has(place.spot))) {
      if (!picked.includes(place.spot)) this.board.pick(place.spot);
      this.carried = { spot: place.spot, dx: 0, dy: 0 };
    } else press.pan = this.zoom.isNear;
  }

  #put(from: string, where: Where) {
    this.carried = null;
    this.aimed = "";
    const goal = this.#goal(from, where);
    if (goal) this.board.pick(goal.spot);
    else this.board.drop();
  }

  /** Where a piece that is carried from a place would go if it were put down here. */
  #goal(from: string, { x, y, unit }: Where): Place | undefined {
    const { places, next } = this.board;
    const goals = places.filter((place) => next.has(place.spot) && place.spot !== from);
    return nearest(goals, x, y, Math.max(0.75, TAP / 2 / unit));
  }

  async #take(spot: string | undefined, byFinger: boolean) {
    if (!spot) {
      this.board.drop();
      if (!this.board.picked.length) this.zoom.whole();
      return;
    }
    this.onpoint(spot);
    this.board.pick(spot);
    await tick();
    const { places, next, picked } = this.board;
    const here = places.find((place) => place.spot === spot);
    if (!picked.length || !here) return;
    if (byFinger && !this.zoom.isNear && this.#isCrowded()) this.zoom.nearer(here, this.#scale());
    if (this.zoom.isNear) this.zoom.show(places.filter((place) => next.has(place.spot) || picked.includes(place.spot)), here);
  }

  /** Pixels of a unit of the whole board. */
  #whole(): number {
    return (this.drawn().frame.getScreenCTM()?.a ?? 1) * UNIT;
  }

  /** How much nearer the board must come for every place to be large enough for a finger. */
  #scale(): number {
    return (TAP + 4) / this.#whole();
  }

  /** Whether a finger on the whole board might hit another place than the one that it means to move to. */
  #isCrowded(): boolean {
    const goals = this.board.places.filter((place) => this.board.last.has(place.spot));
    const least = (TAP - 1) / this.#whole();
    return goals.some((one, i) => goals.slice(i + 1).some((other) => Math.hypot(one.x - other.x, one.y - other.y) < least));
  }

  #where(event: { clientX: number; clientY: number }): Where {
    const matrix = this.drawn().picture.getScreenCTM();
    if (!matrix) return { x: 0, y: 0, unit: 1 };
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x / UNIT, y: point.y / UNIT, unit: matrix.a * UNIT };
  }

  /** The place meant: one that may be pointed at is easier to hit than one that may not. */
  #meant({ x, y, unit }: Where): string | undefined {
    const { places, next, picked } = this.board;
    // A stack is hit anywhere between its foot and its top.
    const hit = places.map((place) => ({
      ...place,
      y: place.y - (place.stack.length > 1 ? Math.min(place.up, Math.max(0, place.y - y)) : 0),
    }));
    const open = hit.filter((place) => next.has(place.spot) || picked.includes(place.spot));
    return (nearest(open, x, y, Math.max(0.5, TAP / 2 / unit)) ?? nearest(hit, x, y, 0.6))?.spot;
  }
}

/** A point of the board, and how many pixels of the screen a unit of it takes there. */
type Where = Point & { unit: number };
