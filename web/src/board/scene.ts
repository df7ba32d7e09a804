// Scenes as parts that lie together. From one scene to the next, a part that stayed is the very same object.

import type { Cell, Label, Outline, Part, Piece, Scene, SceneChange } from "../wire.gen";

/** The scene after a change. What the change does not mention is not touched, so that it is not drawn again. */
export function changed(scene: Scene, change: SceneChange): Scene {
  const { status, players, controls = [], marks = [], parts = [], order = [], direction = 0, advice = null } = change;
  const now = new Map(scene.parts.map((part): [string, Part] => [part.id, part]));
  for (const part of parts) now.set(part.id, { ...now.get(part.id), ...part });
  const ids = order.length ? order : scene.parts.map((part) => part.id);
  const same = !parts.length && !order.length;
  return {
    ...scene,
    status,
    players,
    controls,
    marks,
    direction,
    advice,
    parts: same ? scene.parts : ids.map((id) => now.get(id)).filter((part) => part !== undefined),
  };
}

export const cellsOf = (parts: readonly Part[]): Cell[] => parts.flatMap((part) => part.cells ?? []);
export const piecesOf = (parts: readonly Part[]): Piece[] => parts.flatMap((part) => part.pieces ?? []);

/** What lies still on one picture: the boards, the places, the words beside them. */
export interface Sheet {
  cells: Cell[];
  labels: Label[];
  outlines: Outline[];
}

/** Parts where they lie. */
export function sheet(parts: readonly Part[]): Sheet {
  return {
    cells: cellsOf(parts),
    labels: parts.flatMap((part) => part.labels ?? []),
    outlines: parts.flatMap((part) => part.outlines ?? []),
  };
}

/** A copy moved by so much. */
export function shifted(sheet: Sheet, dx: number, dy: number): Sheet {
  return {
    cells: sheet.cells.map((cell) => ({ ...cell, x: cell.x + dx, y: cell.y + dy })),
    labels: sheet.labels.map((label) => ({ ...label, x: label.x + dx, y: label.y + dy })),
    outlines: sheet.outlines.map((outline) => outline.map(([x, y]): [number, number] => [x + dx, y + dy])),
  };
}

/** A copy turned clockwise by degrees; what is printed on it stays upright. */
export function turned(sheet: Sheet, degrees: number): Sheet {
  if (!degrees) return sheet;
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  // Rounded, so that what is in a line stays in one.
  const exact = (value: number) => Math.round(1e6 * value) / 1e6 + 0;
  const at = (x: number, y: number): [number, number] => [exact(x * cos - y * sin), exact(x * sin + y * cos)];
  const placed = <T extends { x: number; y: number }>(thing: T): T => {
    const [x, y] = at(thing.x, thing.y);
    return { ...thing, x, y };
  };
  return {
    cells: sheet.cells.map(placed),
    labels: sheet.labels.map(placed),
    outlines: sheet.outlines.map((outline) => outline.map(([x, y]) => at(x, y))),
  };
}

/** Several sheets as one. */
export function together(sheets: readonly Sheet[]): Sheet {
  return {
    cells: sheets.flatMap((one) => one.cells),
    labels: sheets.flatMap((one) => one.labels),
    outlines: sheets.flatMap((one) => one.outlines),
  };
}
