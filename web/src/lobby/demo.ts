// A stretch of a real game, for the small board on a game's card.

import { fold } from "../board/geometry";
import { changed, sheet, type Sheet } from "../board/scene";
import { api } from "../lib/api";
import type { Cell, Scene, SceneAt } from "../wire.gen";

export interface Demo {
  /** Every place of every frame: the picture keeps its size. */
  sheet: Sheet;
  frames: Frame[];
}

interface Frame {
  scene: Scene;
  /** The way of the move that led here. */
  path: string[];
}

/** As web/demo.py writes it. */
type Written = (Pick<SceneAt, "scene" | "change"> & { path?: string[] })[];

/** Where the page finds them. */
const files = import.meta.glob<string>("../../demos/*.json", { query: "?url", import: "default", eager: true });

/** What web/demos has of a game; of one that has nothing there, how it begins. */
export async function demo(game: string): Promise<Demo | null> {
  const file = files[`../../demos/${game}.json`];
  const written = file ? ((await (await fetch(file)).json()) as Written) : [await api.start(game)];
  const frames = framesOf(written);
  const [first] = frames;
  if (!first) return null;
  const cells = new Map<string, Cell>();
  for (const { scene } of frames) for (const cell of sheet(scene.parts).cells) if (!cells.has(cell.spot)) cells.set(cell.spot, cell);
  const { outlines } = sheet(first.scene.parts);
  return { sheet: fold({ cells: [...cells.values()], outlines, labels: [] }), frames };
}

function framesOf(written: Written): Frame[] {
  const frames: Frame[] = [];
  for (const { scene, change, path = [] } of written) {
    const before = frames.at(-1)?.scene;
    const now = scene ?? (before && change ? changed(before, change) : undefined);
    if (now) frames.push({ scene: { ...now, marks: [] }, path });
  }
  return frames;
}
