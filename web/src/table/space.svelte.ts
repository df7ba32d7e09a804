// Whether a table is shown in space: where it can be, and where somebody wants it.

import { calm } from "../board/motion";
import { prefs } from "../lib/prefs.svelte";
import type { Table } from "./table.svelte";

/** From this width of the window on it is shown so unless somebody has said otherwise. */
const WIDE = 900;

let works: boolean | undefined;

/** Whether this browser can draw in space; found out once. */
export function canDraw(): boolean {
  return (works ??= probe());
}

function probe(): boolean {
  try {
    const drawing = document.createElement("canvas").getContext("webgl2");
    // A browser has only some of them: this one is given back.
    drawing?.getExtension("WEBGL_lose_context")?.loseContext();
    return drawing !== null;
  } catch {
    return false;
  }
}

export class Space {
  /** It was tried and did not work. */
  hasFailed = $state(false);

  constructor(
    private readonly table: Table,
    /** Only one's own things, on a phone beside a big screen: those are flat. */
    private readonly hand: boolean,
    /** The width of the window; 0 before it is known. */
    private readonly wide: () => number,
  ) {}

  readonly isOffered = $derived.by(() => !this.hand && !!this.table.scene?.solid && canDraw());
  readonly isShown = $derived.by(
    () => this.isOffered && !this.hasFailed && (prefs.space ?? (this.wide() >= WIDE && !calm())),
  );

  turn() {
    const on = !this.isShown;
    this.hasFailed = false;
    prefs.setSpace(on);
  }

  /** Back to the flat board, until somebody tries again. */
  fail(why: unknown) {
    console.warn("The table cannot be drawn in space:", why);
    this.hasFailed = true;
  }
}
