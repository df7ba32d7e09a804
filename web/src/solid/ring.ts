// Where things stand in space: millimetres, x to the right and y away from whoever sits nearest, z up.

import type { Cell, Part, Piece, Scene, Solid } from "../wire.gen";

/** Where the pieces of a seat stand: the middle of their lowest row, and how far they are turned about z. */
export interface Place {
  seat: number;
  /** The direction from the table's middle, 0 to the right, a quarter of a circle straight away. */
  angle: number;
  x: number;
  y: number;
  turn: number;
}

export interface Ring {
  /** From the table's middle to the pieces. */
  radius: number;
  places: Map<number, Place>;
}

const GAP = 70;
const LEAST = 255;

/**
 * The seats in a ring, clockwise as seen from above, `own` nearest (or the first). Each set of pieces is `wide` and
 * stands across the line to the middle, with its front outwards.
 */
export function ringOf(seats: readonly number[], own: number | null, wide: number): Ring {
  const first = Math.max(0, own === null ? 0 : seats.indexOf(own));
  const radius = seats.length < 3 ? LEAST : Math.max(LEAST, (wide + GAP) / (2 * Math.tan(Math.PI / seats.length)));
  const places = seats.map((seat, i): [number, Place] => {
    const angle = -Math.PI / 2 - (2 * Math.PI * (i - first)) / seats.length;
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    return [seat, { seat, angle, x, y, turn: angle + Math.PI / 2 }];
  });
  return { radius, places: new Map(places) };
}

/** The cells' left and lowest edge and how many stand in the lowest row. */
export function extent(cells: readonly Cell[]): { left: number; low: number; columns: number; rows: number } {
  if (!cells.length) return { left: 0, low: 0, columns: 1, rows: 1 };
  const xs = cells.map((cell) => cell.x);
  const ys = cells.map((cell) => cell.y);
  const [left, low] = [Math.min(...xs), Math.max(...ys)];
  return { left, low, columns: Math.max(...xs) - left + 1, rows: low - Math.min(...ys) + 1 };
}

/** How wide and high the widest and the highest of the places are. */
export function sizeOf(scene: Scene, solid: Solid): { wide: number; high: number } {
  const extents = scene.parts.filter((part) => part.role === "place").map((part) => extent(part.cells ?? []));
  const columns = Math.max(1, ...extents.map((one) => one.columns));
  const rows = Math.max(1, ...extents.map((one) => one.rows));
  return { wide: (columns - 1) * solid.across + 2 * solid.foot, high: rows * solid.height };
}

/** The middle of a piece's foot when it stands exactly, from the leftmost of the lowest row. */
export function footOf(cell: Cell, part: Part, solid: Solid): [number, number, number] {
  const { left, low } = extent(part.cells ?? []);
  return [(cell.x - left) * solid.across, 0, (low - cell.y) * solid.height];
}

/** From the leftmost of the lowest row to the middle of the row. */
export function halfRow(part: Part, solid: Solid): number {
  return ((extent(part.cells ?? []).columns - 1) * solid.across) / 2;
}

/** By how much a piece is moved, in millimetres, and its rotation vector in radians. */
export function poseOf({ pose }: Pick<Piece, "pose">): { move: [number, number, number]; spin: [number, number, number] } {
  const [x = 0, y = 0, z = 0, a = 0, b = 0, c = 0] = pose ?? [];
  const turn = (value: number) => ((value / 100) * Math.PI) / 180;
  return { move: [x / 100, y / 100, z / 100], spin: [turn(a), turn(b), turn(c)] };
}

/** A point that is said as the owner sees it, on the table. */
export function onTable(place: Place, x: number, y: number): [number, number] {
  const [cos, sin] = [Math.cos(place.turn), Math.sin(place.turn)];
  return [place.x + x * cos - y * sin, place.y + x * sin + y * cos];
}

/** Where `count` cards lie side by side, from the middle: closer together when they are many. */
export function fan(count: number, step: number, wide: number): number[] {
  const apart = count > 1 ? Math.min(step, wide / (count - 1)) : 0;
  return Array.from({ length: count }, (_, i) => (i - (count - 1) / 2) * apart);
}
