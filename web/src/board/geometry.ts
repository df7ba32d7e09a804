// Where things are: bounds, stacks, neighbours. Scene units throughout; x to the right, y downwards.

import { say } from "../lib/messages";
import type { Cell, Piece } from "../wire.gen";
import { KINDS } from "./kinds";
import type { Sheet } from "./scene";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A stack never rises above this many units: a higher one is pressed together, so that the board need not move and
 * a folded board shows the numbers above the stack. */
const TALLEST = 1.1;
/** What stands above the middle of a place: on a square the highest stack, and the upper half of the piece on top. */
const HEADROOM: Partial<Record<string, number>> = { square: TALLEST + 0.5, slot: 0.55, card: 0.6, hollow: 0.5 };

/** How much higher each level of a stack of so many pieces stands. */
export function rise(piece: Pick<Piece, "kind">, count: number): number {
  return count < 2 ? 0 : Math.min(KINDS[piece.kind].rise, TALLEST / (count - 1));
}

/** What must be in sight; the same for every position of a game, so that nothing jumps about. */
export function bounds(board: Sheet, tight = false): Box {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const cell of board.cells) {
    const side = cell.shape === "card" ? 0.46 : 0.5;
    xs.push(cell.x - side, cell.x + side);
    const below = cell.shape === "square" ? 0.78 : cell.shape === "card" ? 0.6 : 0.5;
    ys.push(cell.y - (HEADROOM[cell.shape ?? "hollow"] ?? 0.5), cell.y + below);
  }
  for (const [x, y] of board.outlines.flat()) {
    const edge = 0.26;
    xs.push(x - edge, x + edge);
    ys.push(y - edge, y + edge + 0.08);
  }
  for (const label of board.labels) {
    // Long sentences are drawn elsewhere; short words count with about their width.
    const half = Math.min(say(label.text).length, 24) * 0.08;
    xs.push(label.x - half, label.x + half);
    ys.push(label.y - 0.3, label.y + 0.3);
  }
  if (!xs.length) return { left: 0, top: 0, width: 1, height: 1 };
  const pad = tight ? 0 : 0.1;
  const [left, top] = [Math.min(...xs) - pad, Math.min(...ys) - pad];
  return { left, top, width: Math.max(...xs) + pad - left, height: Math.max(...ys) + pad - top };
}

/** A single row of at least ten places, bent into a U: its first half below, the rest running back above it. */
export function fold(board: Sheet): Sheet {
  const cells = [...board.cells].sort((a, b) => a.x - b.x);
  const first = cells[0];
  if (cells.length < 10 || !first || cells.some((cell) => cell.y !== first.y)) return board;
  const half = Math.ceil(cells.length / 2);
  const apart = 2.15;
  const at = new Map<string, Cell>();
  cells.forEach((cell, i) => {
    const above = i >= half;
    at.set(cell.spot, { ...cell, x: above ? 2 * half - 1 - i : i, y: above ? 0 : apart });
  });
  const e = 0.62;
  const outline: [number, number][] = [
    [-e, -0.68],
    [half - 1 + e, -0.68],
    [half - 1 + e, apart + 0.82],
    [-e, apart + 0.82],
  ];
  return { cells: board.cells.map((cell) => at.get(cell.spot) ?? cell), outlines: [outline], labels: [] };
}

/** The pieces of each cell, lowest first. */
export function stacks(pieces: readonly Piece[]): Map<string, Piece[]> {
  const found = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const stack = found.get(piece.spot);
    if (stack) stack.push(piece);
    else found.set(piece.spot, [piece]);
  }
  for (const stack of found.values()) stack.sort((a, b) => (a.level ?? 0) - (b.level ?? 0));
  return found;
}

export type Point = { x: number; y: number };

/** The place closest to a point among `cells`, no further than `reach`. */
export function nearest<T extends Point>(cells: Iterable<T>, x: number, y: number, reach: number): T | undefined {
  let best: T | undefined;
  let least = reach;
  for (const cell of cells) {
    const far = Math.hypot(cell.x - x, cell.y - y);
    if (far <= least) [best, least] = [cell, far];
  }
  return best;
}

/** Key → direction. The four corner keys are the slanting neighbours of a six-sided board. */
export const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-0.5, -0.87],
  PageUp: [0.5, -0.87],
  End: [-0.5, 0.87],
  PageDown: [0.5, 0.87],
};

/**
 * Where a key leads from `from`. Between rows that are half a place apart an upward or downward key has two
 * neighbours to choose from: it takes the one closer to `column`, so that going up twice goes straight up.
 */
export function step<T extends Point>(cells: readonly T[], from: T, key: string, column: number): T | undefined {
  const way = WAYS[key];
  if (!way) return undefined;
  const size = Math.hypot(...way);
  let best: T | undefined;
  let least = Infinity;
  for (const cell of cells) {
    const [dx, dy] = [cell.x - from.x, cell.y - from.y];
    const far = Math.hypot(dx, dy);
    if (far < 0.01) continue;
    const along = (dx * way[0] + dy * way[1]) / size;
    if (along <= far * 0.45) continue;
    const aside = Math.sqrt(Math.max(0, far * far - along * along));
    const drift = way[0] === 0 ? Math.abs(cell.x - column) * 0.2 : 0;
    // The next row comes before what is straight ahead in the one after it.
    const cost = 2 * along + 1.6 * aside + drift;
    if (cost < least - 1e-6) [best, least] = [cell, cost];
  }
  return best;
}
