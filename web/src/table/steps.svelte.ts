// Stepping through a game: the scenes of the past, fetched when first asked for.

import { changed } from "../board/scene";
import { api } from "../lib/api";
import type { Mark, Scene } from "../wire.gen";

/** The scene after the first `version` entries of the log. */
export interface Step {
  version: number;
  scene: Scene;
}

/** Moves that are drawn into a scene of the past, by the spots they point at and the way of the piece. */
export interface Drawn {
  spots: readonly string[];
  path: readonly string[];
}

export class Steps {
  /** Every change of the position so far, oldest first. */
  scenes = $state.raw<Step[]>([]);
  /** Which of them is shown; null is the table now. */
  at = $state<number | null>(null);
  /** In a scene before a turning point: the move that was made, and the better one. */
  made = $state.raw<Drawn | null>(null);
  better = $state.raw<Drawn | null>(null);

  constructor(private readonly id: () => string) {}

  readonly isBack = $derived(this.at !== null);
  readonly shown = $derived.by(() => {
    const step = this.at === null ? undefined : this.scenes[this.at];
    if (!step) return null;
    return this.made ? { ...step, scene: { ...step.scene, marks: marksOf(this.made) } } : step;
  });

  /** Go `by` scenes; forward over the end is now. */
  async go(by: number, version: number) {
    if (!(await this.#fetch(version))) return;
    this.#plain();
    const end = this.scenes.length - 1;
    const to = Math.max(0, (this.at ?? end) + by);
    this.at = to >= end ? null : to;
  }

  /** The scene right after event `n`. */
  async show(n: number, version: number) {
    if (!(await this.#fetch(version))) return;
    this.#plain();
    const found = this.scenes.findIndex((scene) => scene.version > n);
    this.at = found < 0 || found >= this.scenes.length - 1 ? null : found;
  }

  /** The scene before event `n` with the move that was made there and the better one drawn into it. */
  async compare(n: number, version: number, made: Drawn, better: Drawn | null) {
    if (!(await this.#fetch(version))) return;
    const found = this.scenes.findLastIndex((scene) => scene.version <= n);
    this.at = Math.max(0, found);
    [this.made, this.better] = [made, better];
  }

  /** The scene right before event `n`; undefined when it cannot be had. */
  async before(n: number, version: number): Promise<Scene | undefined> {
    if (!(await this.#fetch(version))) return undefined;
    return this.scenes.findLast((scene) => scene.version <= n)?.scene;
  }

  async first(version: number) {
    if (!(await this.#fetch(version))) return;
    this.#plain();
    this.at = this.scenes.length > 1 ? 0 : null;
  }

  now() {
    this.#plain();
    this.at = null;
  }

  /** After a takeback the past is another. */
  forget() {
    this.#plain();
    this.scenes = [];
    this.at = null;
    this.#have = -1;
  }

  #plain() {
    this.made = this.better = null;
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

/** The marks of a move: where it came from, passed and went. */
function marksOf({ path, spots }: Drawn): Mark[] {
  const way = path.length ? path : spots;
  return way.map((spot, i) => ({ spot, kind: i === 0 ? "from" : i === way.length - 1 ? "to" : "path" }));
}
