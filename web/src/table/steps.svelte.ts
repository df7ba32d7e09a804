// Stepping through a game: the scenes of the past, fetched when first asked for.

import { changed } from "../board/scene";
import { api } from "../lib/api";
import type { Scene } from "../wire.gen";

/** The scene after the first `version` entries of the log. */
export interface Step {
  version: number;
  scene: Scene;
}

export class Steps {
  /** Every change of the position so far, oldest first. */
  scenes = $state.raw<Step[]>([]);
  /** Which of them is shown; null is the table now. */
  at = $state<number | null>(null);

  constructor(private readonly id: () => string) {}

  readonly isBack = $derived(this.at !== null);
  readonly shown = $derived(this.at === null ? null : (this.scenes[this.at] ?? null));

  /** Go `by` scenes; forward over the end is now. */
  async go(by: number, version: number) {
    if (!(await this.#fetch(version))) return;
    const end = this.scenes.length - 1;
    const to = Math.max(0, (this.at ?? end) + by);
    this.at = to >= end ? null : to;
  }

  /** The scene right after event `n`. */
  async show(n: number, version: number) {
    if (!(await this.#fetch(version))) return;
    const found = this.scenes.findIndex((scene) => scene.version > n);
    this.at = found < 0 || found >= this.scenes.length - 1 ? null : found;
  }

  /** The scene right before event `n`; undefined when it cannot be had. */
  async before(n: number, version: number): Promise<Scene | undefined> {
    if (!(await this.#fetch(version))) return undefined;
    return this.scenes.findLast((scene) => scene.version <= n)?.scene;
  }

  async first(version: number) {
    if (!(await this.#fetch(version))) return;
    this.at = this.scenes.length > 1 ? 0 : null;
  }

  now() {
    this.at = null;
  }

  /** After a takeback the past is another. */
  forget() {
    this.scenes = [];
    this.at = null;
    this.#have = -1;
  }

  #have = -1;

  /** False when the past cannot be had: the table says that the line is cut. */
  async #fetch(version: number): Promise<boolean> {
    if (this.#have === version) return true;
    try {
      await this.#gather();
    } catch {
      return false;
    }
    this.#have = version;
    return true;
  }

  async #gather() {
    const all: Step[] = [];
    for (let since = 0; ; ) {
      const some = await api.scenes(this.id(), since);
      let scene: Scene | undefined;
      for (const { version, scene: whole, change } of some) {
        scene = whole ?? (scene && change ? changed(scene, change) : scene);
        if (scene && all.at(-1)?.version !== version) all.push({ version, scene });
      }
      const last = some.at(-1);
      if (some.length < 400 || !last) break;
      since = last.version + 1;
    }
    this.scenes = all;
  }
}
