// Putting pieces on all of some places: begin with the suggestion, exchange two at a time.

import type { Filling, Part, Tint } from "../wire.gen";

export class Arrangement {
  tints = $state.raw<readonly string[]>([]);
  picked = $state.raw<readonly string[]>([]);

  constructor(
    readonly plan: Filling,
    private readonly palette: readonly Tint[],
  ) {
    this.tints = plan.suggestion;
  }

  readonly next = $derived.by(() => new Set(this.plan.spots));
  /** What is to be seen of it so far. */
  readonly part = $derived.by((): Part => {
    const pieces = this.plan.spots.map((spot, i) => ({ spot, kind: this.plan.kind, tint: this.tints[i] ?? "" }));
    return { id: "arrangement", pieces };
  });
  /** The move in notation. */
  readonly text = $derived.by(() => {
    const letters = new Map(this.palette.map((tint) => [tint.name, tint.letter]));
    let i = 0;
    return this.plan.pattern.replace(/\{\}/g, () => letters.get(this.tints[i++] ?? "") ?? "?");
  });

  pick(spot: string) {
    const held = this.picked[0];
    const to = this.plan.spots.indexOf(spot);
    if (to < 0) return;
    if (held === undefined) this.picked = [spot];
    else {
      const from = this.plan.spots.indexOf(held);
      const tints = [...this.tints];
      [tints[from], tints[to]] = [tints[to] ?? "", tints[from] ?? ""];
      this.tints = tints;
      this.picked = [];
    }
  }

  drop() {
    this.picked = [];
  }

  /** Some other order, for those who like surprises. */
  shuffle() {
    const tints = [...this.tints];
    for (let i = tints.length - 1; i > 0; i--) {
      const j = Math.floor(Math.random() * (i + 1));
      [tints[i], tints[j]] = [tints[j] ?? "", tints[i] ?? ""];
    }
    this.tints = tints;
    this.picked = [];
  }

  restore() {
    this.tints = this.plan.suggestion;
    this.picked = [];
  }
}
