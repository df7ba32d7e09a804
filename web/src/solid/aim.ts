// Aiming by pulling back like a sling: from what the pointer does to the numbers of an aim, and back to a picture.

import type { Aiming, Scale, Solid } from "../wire.gen";
import type { Aim } from "./contract";

/** Where a piece was pressed: how far to the owner's right of its middle, and how high above its foot; millimetres. */
export interface Press {
  aside: number;
  height: number;
}

/** How far the pointer was pulled: on the table as the owner sees it, and on the screen in pixels. */
export interface Pull {
  right: number;
  back: number;
  pixels: number;
}

/** Let go within so many pixels, nothing is pushed. */
export const DEAD = 14;

const within = (value: number, { least, most }: Pick<Scale, "least" | "most">) => Math.min(Math.max(Math.round(value) + 0, least), most);
/** How wide a piece is for the scale of `aside`: as in the middle of its height. */
export const halfWidth = (solid: Solid) => (solid.foot + solid.top) / 2;

/**
 * The aim that a pull means; `reach` pixels are the hardest push. Null when it is pulled too little or the wrong way: a
 * push always goes away from whoever looks.
 */
export function aimOf(spot: string, press: Press, pull: Pull, behind: boolean, aiming: Aiming, solid: Solid, reach: number): Aim | null {
  const away = behind ? pull.back : -pull.back;
  if (pull.pixels < DEAD || away <= 0) return null;
  const share = Math.min((pull.pixels - DEAD) / Math.max(reach - DEAD, 1), 1);
  const { strength, height, aside, turn } = aiming;
  return {
    spot,
    strength: within(strength.least + share * (strength.most - strength.least), strength),
    height: within((100 * press.height) / solid.height, height),
    aside: within((100 * press.aside) / halfWidth(solid), aside),
    turn: within((Math.atan2(-pull.right, away) * 180) / Math.PI, turn),
    behind,
  };
}

/** Where an aim's finger touches the piece, seen from the middle of its foot, and which way it pushes. */
export function touchOf(aim: Aim, solid: Solid): { touch: [number, number, number]; ahead: [number, number] } {
  const angle = (aim.turn * Math.PI) / 180;
  const side = aim.behind ? -1 : 1;
  const ahead: [number, number] = [Math.sin(angle), side * Math.cos(angle)];
  // To the owner's right, across the push.
  const right: [number, number] = [Math.cos(angle), -side * Math.sin(angle)];
  const up = (aim.height / 100) * solid.height;
  const radius = solid.foot - ((solid.foot - solid.top) * up) / solid.height;
  const aside = Math.min(Math.max((aim.aside / 100) * halfWidth(solid), -0.95 * radius), 0.95 * radius);
  const depth = Math.sqrt(radius * radius - aside * aside);
  return { touch: [right[0] * aside - ahead[0] * depth, right[1] * aside - ahead[1] * depth, up], ahead };
}

/** How hard an aim is, from 0 to 1. */
export function share(aim: Aim, { least, most }: Scale): number {
  return most > least ? (aim.strength - least) / (most - least) : 1;
}
