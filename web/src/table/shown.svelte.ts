// What is shown of a table: the scene of now or of the past, as boards of their sizes, and what may be pointed at.

import { fold } from "../board/geometry";
import { Arrangement } from "./arrangement.svelte";
import { sections } from "./sections";
import type { Table } from "./table.svelte";

/** Widths of a window in pixels: below the first is a phone, below the second everything stands in one column. */
const NARROW = 640;
const STACKED = 900;

export class Shown {
  constructor(
    private readonly table: Table,
    /** Only one's own things: for a phone beside a big screen. */
    private readonly hand: boolean,
    /** The width of the window; 0 before it is known. */
    private readonly wide: () => number,
  ) {}

  readonly arranging = $derived.by(() =>
    this.table.arrange && !this.table.steps.isBack ? new Arrangement(this.table.arrange) : null,
  );
  readonly scene = $derived.by(() => {
    const now = this.table.steps.shown?.scene ?? this.table.scene;
    return now && this.arranging ? { ...now, pieces: [...now.pieces, ...this.arranging.pieces] } : now;
  });
  readonly base = $derived.by(() => this.table.steps.shown?.board ?? this.table.board);
  readonly isNarrow = $derived.by(() => this.#below(NARROW));
  readonly parts = $derived.by(() => {
    if (!this.base) return [];
    const all = sections(fold(this.base), this.table.seat, this.isNarrow, this.hand, this.#below(STACKED));
    // While arranging, nothing of the others is to be seen yet: a phone has better use for the room.
    return this.isNarrow && this.arranging ? all.filter((part) => part.key !== "others") : all;
  });
  /** What may be pointed at. */
  readonly next = $derived.by(() =>
    this.arranging ? this.arranging.next : this.table.waiting ? new Set<string>() : this.table.entry.next,
  );
  readonly picked = $derived.by(() => this.arranging?.picked ?? this.table.picked);
  readonly controls = $derived.by(() => (this.scene?.controls ?? []).filter((control) => this.next.has(control.spot)));
  readonly path = $derived.by(() => (this.table.steps.isBack ? [] : this.table.path));

  pick = (spot: string) => {
    if (this.arranging) this.arranging.pick(spot);
    else this.table.pick(spot);
  };

  drop = () => {
    if (this.arranging) this.arranging.drop();
    else this.table.drop();
  };

  #below(width: number): boolean {
    return this.wide() > 0 && this.wide() < width;
  }
}
