// The games of public/demo, scene by scene.

import { changed } from "../board/scene";
import type { Scene, SceneAt } from "../wire.gen";

export type Written = (Pick<SceneAt, "scene" | "change"> & { path?: string[] })[];

const files = import.meta.glob<Written>("../../public/demo/*.json", { eager: true, import: "default" });

/** What the server would answer for /demo/GAME.json. */
export const written = (game: string): Written => files[`../../public/demo/${game}.json`]!;

/** Each scene, and the way of the move that led to it. */
export function demo(game: string): { scene: Scene; path: string[] }[] {
  let now: Scene | undefined;
  return written(game).map(({ scene, change, path = [] }) => {
    now = scene ?? changed(now!, change!);
    return { scene: now, path };
  });
}
