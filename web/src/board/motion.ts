// How pieces travel. A whole move takes 180 to 350 ms and eases out.

import { UNIT } from "./paint";
import type { Kind } from "../wire.gen";
import type { Point } from "./geometry";
import { KINDS } from "./kinds";

const LEAST = 220;
const MOST = 350;

export function duration(hops: number): number {
  return Math.min(MOST, LEAST + 45 * Math.max(0, hops - 1));
}

/** Steps relative to the last place: some kinds go up and over, the rest slides. */
export function keyframes(places: readonly Point[], kind: Kind): Keyframe[] {
  const last = places[places.length - 1];
  if (!last || places.length < 2) return [];
  const at = (p: Point, lift = 0) => `translate(${(p.x - last.x) * UNIT}px, ${(p.y - last.y - lift) * UNIT}px)`;
  const frames: Keyframe[] = [];
  const hops = places.length - 1;
  places.forEach((here, i) => {
    frames.push({ transform: at(here), offset: i / hops, easing: "ease-in-out" });
    const there = places[i + 1];
    if (!there) return;
    const lift = KINDS[kind].lift(Math.hypot(there.x - here.x, there.y - here.y));
    if (!lift) return;
    const middle = { x: (here.x + there.x) / 2, y: (here.y + there.y) / 2 };
    frames.push({ transform: at(middle, lift), offset: (i + 0.5) / hops, easing: "ease-in-out" });
  });
  return frames;
}

export const BORN: Keyframe[] = [
  { transform: `translate(0, ${-0.5 * UNIT}px)`, opacity: 0 },
  { transform: "none", opacity: 1 },
];

export function fall(turn: number): Keyframe[] {
  return [
    { transform: "none", opacity: 1 },
    { transform: `translate(${turn * 30}px, ${1.4 * UNIT}px) rotate(${turn * 110}deg)`, opacity: 0 },
  ];
}

export const FADE: Keyframe[] = [{ opacity: 1 }, { opacity: 0 }];

/** Seen edge-on half way: a stone turns over at the end of its slide. */
export const TURN_OUT: Keyframe[] = [
  { transform: "scaleX(1)", opacity: 1, offset: 0 },
  { transform: "scaleX(1)", opacity: 1, offset: 0.6 },
  { transform: "scaleX(0.05)", opacity: 1, offset: 0.8 },
  { transform: "scaleX(0.05)", opacity: 0, offset: 0.801 },
  { transform: "scaleX(0.05)", opacity: 0, offset: 1 },
];
export const TURN_IN: Keyframe[] = [
  { transform: "scaleX(0.05)", opacity: 0, offset: 0 },
  { transform: "scaleX(0.05)", opacity: 0, offset: 0.799 },
  { transform: "scaleX(0.05)", opacity: 1, offset: 0.8 },
  { transform: "scaleX(1)", opacity: 1, offset: 1 },
];

export function calm(): boolean {
  return globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}
