// What places are called where moves are written down.

import type { Cell, Part } from "../wire.gen";

export interface Named {
  spot: string;
  /** The foot of the letters, in units of the board. */
  x: number;
  y: number;
  text: string;
}

/** How far below the middle of a place its name stands: at the foot of a piece, above the letter of one that stands. */
const BELOW: Record<string, number> = { hollow: 0.42, slot: -0.2, square: 0.4 };

/**
 * The names of places: what the scene calls them, else on a common board their spots. A name that is printed beside a
 * place anyway is not said twice.
 */
export function coordinates(cells: readonly Cell[], parts: readonly Part[]): Named[] {
  const common = parts.filter(({ role = "board" }) => role === "board");
  const known = new Set(common.flatMap((part) => part.cells ?? []).map((cell) => cell.spot));
  const found: Named[] = [];
  for (const { spot, x, y, shape = "hollow", label, coordinate } of cells) {
    const below = BELOW[shape];
    const text = coordinate || (known.has(spot) ? spot : "");
    if (below === undefined || !text || (shape === "square" && label)) continue;
    found.push({ spot, x, y: y + below, text });
  }
  return found;
}

/** Those that a sentence speaks of: whoever reads "jump on to h5" finds h5 on the board. */
export function mentioned(named: readonly Named[], words: string): Named[] {
  const said = new Set(words.match(/[\p{L}\p{N}]+/gu));
  return named.filter(({ text }) => said.has(text));
}
