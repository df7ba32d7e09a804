// The analysis of a finished game on the server: asked for, and looked at until it is done.

import { api } from "../lib/api";
import type { AnalysisStatus, JudgedEvent, TableAnalysis } from "../wire.gen";

/** Milliseconds between two looks. */
const PAUSE = 1000;

export class Turning {
  status = $state<AnalysisStatus | "">("");
  total = $state(0);
  moves = $state.raw<JudgedEvent[]>([]);
  trouble = $state("");
  /** Which of the moves is looked at. */
  at = $state<number | null>(null);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #gone = false;

  constructor(
    private readonly id: string,
    /** The token of a seat, where no cookie holds one. */
    private readonly token: string,
  ) {}

  readonly isBusy = $derived(this.status === "waiting" || this.status === "running");

  /** What is known, without asking for more. */
  async look() {
    await this.#ask(() => api.analysis(this.id, this.moves.length));
  }

  async start() {
    this.trouble = "";
    this.moves = [];
    await this.#ask(() => api.analyse(this.id, this.token));
  }

  /** Nobody looks any more: the server puts it aside after a while. */
  close() {
    this.#gone = true;
    clearTimeout(this.#timer);
  }

  async #ask(how: () => Promise<TableAnalysis>) {
    clearTimeout(this.#timer);
    try {
      const { status, total, moves } = await how();
      if (this.#gone) return;
      this.status = status;
      this.total = total ?? 0;
      if (moves?.length) this.moves = [...this.moves, ...moves];
      if (this.isBusy) this.#timer = setTimeout(() => void this.look(), PAUSE);
    } catch (error) {
      if (this.#gone) return;
      this.trouble = (error as Error).message;
      if (this.isBusy) this.#timer = setTimeout(() => void this.look(), 5 * PAUSE);
    }
  }
}
