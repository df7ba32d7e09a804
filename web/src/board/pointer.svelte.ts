// Mouse and finger: taps, drags of pieces, and on a small screen the nearer picture.

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
  #press: Press | null = null;

  constructor(
    private readonly board: Pointing,
    private readonly zoom: Zoom,
    /** The frame, and the picture in it, which may be on its way from one size to another. */
    private readonly drawn: () => { frame: SVGSVGElement; picture: SVGGElement },
    private readonly onpoint: (spot: string) => void,
  ) {}

  down = (event: PointerEvent) => {
    if (this.board.still || event.button !== 0) return;
    const spot = this.#meant(this.#where(event));
    this.#press = { id: event.pointerId, x: event.clientX, y: event.clientY, spot, moved: false, pan: false };
  };

  move = (event: PointerEvent) => {
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.moved && Math.hypot(dx, dy) < TREMOR) return;
    const { unit } = this.#where(event);
    if (!press.moved) this.#grasp(press);
    if (this.carried) this.carried = { ...this.carried, dx: (dx * UNIT) / unit, dy: (dy * UNIT) / unit };
    else if (press.pan) {
      this.zoom.pan(dx / unit, dy / unit);
      [press.x, press.y] = [event.clientX, event.clientY];
    }
  };

  up = (event: PointerEvent) => {
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    this.#press = null;
    const where = this.#where(event);
    if (this.carried) return this.#put(this.carried.spot, where);
    if (press.moved) return;
    const { next, last } = this.board;
    const whole = (this.drawn().frame.getScreenCTM()?.a ?? 1) * UNIT;
    if (event.pointerType === "touch" && whole < TAP - 1 && !this.zoom.isNear && next.size) {
      this.zoom.nearer(where, (TAP + 4) / whole);
      if (press.spot && next.has(press.spot) && !last.has(press.spot)) void this.#take(press.spot);
      return;
    }
    void this.#take(press.spot);
  };

  cancel = () => {
    this.#press = null;
    if (!this.carried) return;
    this.carried = null;
    this.board.drop();
  };

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

  #put(from: string, { x, y, unit }: Where) {
    this.carried = null;
    const { places, next } = this.board;
    const goals = places.filter((place) => next.has(place.spot) && place.spot !== from);
    const goal = nearest(goals, x, y, Math.max(0.75, TAP / 2 / unit));
    if (goal) this.board.pick(goal.spot);
    else this.board.drop();
  }

  async #take(spot: string | undefined) {
    if (!spot) {
      this.board.drop();
      if (!this.board.picked.length) this.zoom.whole();
      return;
    }
    this.onpoint(spot);
    this.board.pick(spot);
    if (!this.zoom.isNear) return;
    await tick();
    const { places, next, picked } = this.board;
    const here = places.find((place) => place.spot === spot);
    if (!picked.length || !here) return;
    this.zoom.show(places.filter((place) => next.has(place.spot) || picked.includes(place.spot)), here);
  }

  #where(event: PointerEvent): Where {
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
