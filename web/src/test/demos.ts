// The games of web/demos, scene by scene.

import { changed } from "../board/scene";
import type { Scene, SceneAt } from "../wire.gen";

export type Written = (Pick<SceneAt, "scene" | "change"> & { path?: string[] })[];

const files = import.meta.glob<Written>("../../demos/*.json", { eager: true, import: "default" });

/** What web/demo.py wrote. */
export const written = (game: string): Written => files[`../../demos/${game}.json`]!;

/** Each scene, and the way of the move that led to it. */
export function demo(game: string): { scene: Scene; path: string[] }[] {
  let now: Scene | undefined;
  return written(game).map(({ scene, change, path = [] }) => {
    now = scene ?? changed(now!, change!);
    return { scene: now, path };
  });
}
