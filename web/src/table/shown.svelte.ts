// What is shown of a table: the scene of now or of the past, as pictures of their sizes, and what may be pointed at.

import type { Part } from "../wire.gen";
import { Arrangement } from "./arrangement.svelte";
import { notes, sections } from "./sections";
import type { Table } from "./table.svelte";

/** Widths of a window in pixels: below the first is a phone, below the second everything stands in one column. */
const NARROW = 640;
const STACKED = 900;

export class Shown {
  #ground: readonly Part[] = [];

  constructor(
    private readonly table: Table,
    /** Only one's own things: for a phone beside a big screen. */
    private readonly hand: boolean,
    /** The width of the window; 0 before it is known. */
    private readonly wide: () => number,
  ) {}

  readonly #seen = $derived.by(() => {
    const { motions, steps, scene } = this.table;
    return motions.shot?.before ?? steps.shown?.scene ?? scene;
  });
  readonly arranging = $derived.by(() => {
    const { filling, steps, palette } = this.table;
    return filling && !steps.isBack ? new Arrangement(filling, palette) : null;
  });
  readonly scene = $derived.by(() => {
    const now = this.#seen;
    return now && this.arranging ? { ...now, parts: [...now.parts, this.arranging.part] } : now;
  });
  /** The parts, for what lies still: not new when only pieces have moved, so that the ground is not drawn again. */
  readonly #lying = $derived.by(() => {
    const now = this.#seen?.parts ?? [];
    const before = this.#ground;
    if (now.length !== before.length || !now.every((part, i) => liesAs(part, before[i]))) this.#ground = now;
    return this.#ground;
  });
  readonly isNarrow = $derived.by(() => this.#below(NARROW));
  readonly #isStacked = $derived.by(() => this.#below(STACKED));
  readonly sections = $derived.by(() => {
    const all = sections(this.#lying, this.table.seat, this.isNarrow, this.hand, this.#isStacked);
    // While arranging, nothing of the others is to be seen yet: a phone has better use for the room.
    return this.isNarrow && this.arranging ? all.filter((section) => section.key !== "others") : all;
  });
  readonly notes = $derived.by(() => notes(this.#lying));
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

/** Whether two parts differ in nothing but their pieces. */
function liesAs(now: Part, before: Part | undefined): boolean {
  const { cells, labels, outlines, owner, role, id } = before ?? {};
  return (
    now.id === id &&
    now.cells === cells &&
    now.labels === labels &&
    now.outlines === outlines &&
    now.owner === owner &&
    now.role === role
  );
}
