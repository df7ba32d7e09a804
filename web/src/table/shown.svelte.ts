// What is shown of a table: the scene of now or of the past, as pictures of their sizes, and what may be pointed at.

import { called } from "../lib/names";
import type { Part, SeatInfo } from "../wire.gen";
import { Arrangement } from "../board/arrangement.svelte";
import { notes, sections } from "../board/sections";
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
  /** What stands before a person bears the person's name. */
  readonly #named = $derived.by(() => {
    const { seats, seat } = this.table;
    // Nobody could read it there on a phone: the names stand above, in the same order.
    if (this.isNarrow && seat !== null) return this.#lying.map(nameless);
    return this.#lying.map((part) => named(part, seats));
  });
  readonly isNarrow = $derived.by(() => this.#below(NARROW));
  readonly #isStacked = $derived.by(() => this.#below(STACKED));
  /** By how much the board is turned for whoever looks; where several share a screen it lies still, as for the first. */
  readonly #turn = $derived.by(() => {
    const { seat, yours } = this.table;
    return (seat !== null && this.#seen?.turns?.[yours.length > 1 ? Math.min(...yours) : seat]) || 0;
  });
  readonly sections = $derived.by(() => {
    const all = sections(this.#named, this.table.seat, this.isNarrow, this.hand, this.#isStacked, this.#turn);
    // While arranging, nothing of the others is to be seen yet: a phone has better use for the room.
    return this.isNarrow && this.arranging ? all.filter((section) => section.key !== "others") : all;
  });
  /** Whether each player has a picture of their own, or beside that of all. */
  readonly isSplit = $derived.by(() => this.sections.length > 1);
  readonly notes = $derived.by(() => notes(this.#lying));
  /** What may be pointed at. */
  readonly next = $derived.by(() =>
    this.arranging ? this.arranging.next : this.table.waiting ? new Set<string>() : this.table.entry.next,
  );
  readonly picked = $derived.by(() => this.arranging?.picked ?? this.table.picked);
  readonly controls = $derived.by(() => (this.scene?.controls ?? []).filter((control) => this.next.has(control.spot)));
  /** What is pointed out: by a hint now, or in the past that somebody looks at. */
  readonly hinted = $derived.by(() => (this.table.steps.isBack ? (this.table.steps.better?.spots ?? []) : this.table.hinted));
  readonly hintedWay = $derived.by(() => (this.table.steps.isBack ? (this.table.steps.better?.path ?? []) : this.table.hintedWay));
  readonly path = $derived.by(() => (this.table.steps.isBack ? (this.table.steps.made?.path ?? []) : this.table.path));

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

/** A name has so many letters at most where it stands below small pieces. */
const LETTERS = 18;

function named(part: Part, seats: readonly SeatInfo[]): Part {
  const name = part.owner == null ? "" : called(seats.find((one) => one.seat === part.owner));
  if (!name || !part.labels?.some((label) => label.kind === "name")) return part;
  const letters = [...name];
  const text = letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join("").trimEnd()}…` : name;
  return { ...part, labels: part.labels.map((label) => (label.kind === "name" ? { ...label, text } : label)) };
}

function nameless(part: Part): Part {
  if (part.owner == null || !part.labels) return part;
  return { ...part, labels: part.labels.filter((label) => label.kind !== "name") };
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
