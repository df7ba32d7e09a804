// What the plates say, and where on the screen they stand.

import { Vector3 } from "three";

import { say } from "../lib/messages";
import type { Tint } from "../wire.gen";
import type { SolidState } from "./contract";
import type { Anchor } from "./overlay";
import { type Plate, plateOf } from "./plates";
import type { Rig } from "./rig";
import type { Stage } from "./stage";

/** The plate of what lies in the middle; all others are called by their seats. */
const STOCK = "stock";

/** One plate for each player, and one for what is written at the stock. */
export function platesOf({ scene, names }: SolidState, tints: ReadonlyMap<string, Tint>): Map<string, Plate> {
  const plates = new Map<string, Plate>();
  for (const player of scene.players) plates.set(`${player.seat}`, plateOf(player, names.get(player.seat), tints.get(player.tint)));
  const labels = scene.parts.filter((part) => part.role === "supply").flatMap((part) => part.labels ?? []);
  const lines = labels.map((label) => say(label.text));
  if (lines.length) plates.set(STOCK, { title: "", lines, tint: null, acts: false });
  return plates;
}

/** Where a plate stands: below the pieces of somebody near, beside those in front, above those of somebody far. */
export function anchorOf(id: string, stage: Stage, rig: Rig, project: (at: Vector3) => { x: number; y: number }): Anchor | null {
  const zoomed = rig.look.seat;
  if (id === STOCK) return zoomed === null ? { ...project(new Vector3(32, stage.stockAway, 0)), right: 1, up: 0 } : null;
  const place = stage.ring.places.get(Number(id));
  if (!place || (zoomed !== null && zoomed !== place.seat)) return null;
  const corners = stage.corners(place).map(project);
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
  const { position } = rig.camera;
  const facing = Math.cos(place.angle - Math.atan2(position.y, position.x));
  if (facing < 0.35 || zoomed !== null) return { x: middle, y: Math.min(...ys) - 3, right: 0, up: 1 };
  if (place.seat !== stage.nearest) return { x: middle, y: Math.max(...ys) + 3, right: 0, up: -1 };
  const cards = project(stage.cardsLeft(place));
  return { x: Math.min(cards.x, Math.min(...xs) + 12) - 6, y: Math.max(cards.y, ...ys), right: -1, up: 1 };
}
