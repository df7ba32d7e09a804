// Putting pieces on all of some places: begin with the suggestion, exchange two at a time.

import type { Arrange, Piece } from "../wire.gen";

export class Arrangement {
  tints = $state.raw<readonly string[]>([]);
  picked = $state.raw<readonly string[]>([]);

  constructor(readonly plan: Arrange) {
    this.tints = plan.suggestion;
  }

  readonly next = $derived.by(() => new Set(this.plan.spots));
  readonly pieces = $derived.by((): Piece[] =>
    this.plan.spots.map((spot, i) => ({ spot, kind: this.plan.kind ?? "bucket", tint: this.tints[i] ?? "" })),
  );
  /** The move in notation. */
  readonly text = $derived.by(() => {
    let i = 0;
    return this.plan.pattern.replace(/\{\}/g, () => this.plan.letters[this.tints[i++] ?? ""] ?? "?");
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
