// What somebody meant who pointed somewhere on the screen: pixels, x to the right and y downwards.

export interface Target {
  spot: string;
  x: number;
  y: number;
}

/** How far from its middle a thing may still be pointed at: on a thing that may not be, half of it. */
export const REACH = 44;

/**
 * The spot that is meant: the thing under the pointer if it may be pointed at, else the nearest that may be and is
 * within reach, else the thing under the pointer, so that one is told why it may not be.
 */
export function meant(hit: string | null, x: number, y: number, targets: Iterable<Target>, allowed: ReadonlySet<string>): string | null {
  if (hit !== null && allowed.has(hit)) return hit;
  let found = hit;
  let least = hit === null ? REACH : REACH / 2;
  for (const target of targets) {
    const far = Math.hypot(target.x - x, target.y - y);
    if (allowed.has(target.spot) && far <= least) [found, least] = [target.spot, far];
  }
  return found;
}
