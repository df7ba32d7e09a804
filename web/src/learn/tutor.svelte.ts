// A tutor at a table: comments what is new in somebody's first games, each thing once.

import { keep, recall } from "../lib/memory";
import { api } from "../lib/api";
import type { Table } from "../table/table.svelte";
import type { TutorInfo, Words } from "../wire.gen";

/** What happens at a table, as far as a tutor may have a word for it. */
export type Moment =
  | { kind: "start" }
  | { kind: "move"; text: string; isMine: boolean }
  | { kind: "said"; keys: ReadonlySet<string> };

/** Whether the word is for this moment. */
export function fits(word: TutorInfo, moment: Moment): boolean {
  if (word.kind !== moment.kind) return false;
  if (moment.kind === "said") return moment.keys.has(word.key ?? "");
  if (moment.kind === "start") return true;
  const by = word.by ?? "any";
  if (by !== "any" && (by === "me") !== moment.isMine) return false;
  return new RegExp(`^(?:${word.like ?? ""})$`).test(moment.text);
}

/** The key of some words and of all words in them. */
export function keysOf(words: Words | null | undefined): string[] {
  if (!words) return [];
  const [key, values = {}] = words;
  const isWords = (value: unknown): value is Words => Array.isArray(value) && typeof value[0] === "string";
  return [key, ...Object.values(values).filter(isWords).flatMap(keysOf)];
}

interface Kept {
  /** Whether the tutor comments this game. */
  on: boolean;
  /** The words that have been heard. */
  heard: readonly string[];
}

const NAME = "tutor";
const keptOf = (game: string) => recall<Record<string, Kept | undefined>>(NAME, {})[game];

function keepOf(game: string, kept: Kept) {
  keep(NAME, { ...recall<Record<string, Kept | undefined>>(NAME, {}), [game]: kept });
}

/** The tutor sits down at the next tables of the game, and everything is new again. */
export const beginWithTutor = (game: string) => keepOf(game, { on: true, heard: [] });

export class Tutor {
  isOn = $state(false);
  /** Whether there is one at this table: it was asked for once, and nobody plays but a person and bots. */
  isHere = $state(false);
  /** What is being said. */
  word = $state.raw<TutorInfo | null>(null);

  #words: readonly TutorInfo[] = [];
  #heard = new Set<string>();
  #waiting: TutorInfo[] = [];
  /** The last event that was looked at; null: none yet, and what happened before is known. */
  #seen: number | null = null;
  #asked = "";
  #game = "";

  constructor(private readonly table: Table) {}

  /** Look at the table, whenever something has changed there. */
  async look() {
    const { info, seats, yours, scene } = this.table;
    if (!info || !scene) return;
    const [me] = yours;
    const isAlone = yours.length === 1 && seats.every((one) => one.seat === me || one.kind === "bot");
    const kept = keptOf(info.game);
    this.isHere = isAlone && kept !== undefined;
    this.isOn = this.isHere && (kept?.on ?? false);
    if (!this.isOn) return;
    if (this.#game !== info.game) {
      if (this.#asked === info.game) return;
      this.#asked = info.game;
      this.#words = await api.tutor(info.game).catch(() => []);
      this.#heard = new Set(kept?.heard);
      this.#game = info.game;
    }
    this.#hear();
  }

  /** The last word has been read. */
  next() {
    this.word = this.#waiting.shift() ?? null;
    const { info } = this.table;
    if (!this.word || !info) return;
    this.#heard.add(this.word.id);
    keepOf(info.game, { on: true, heard: [...this.#heard] });
  }

  turn(on: boolean) {
    const { info } = this.table;
    if (!info) return;
    this.isOn = on;
    keepOf(info.game, { on, heard: [...(keptOf(info.game)?.heard ?? [])] });
    this.word = null;
    this.#waiting = [];
    if (on) void this.look();
  }

  #hear() {
    const { events, yours, scene, moves, outcome, mayAct } = this.table;
    const last = events.at(-1)?.n ?? -1;
    const seen = this.#seen ?? last;
    const fresh = events.filter((event) => event.n > seen && event.kind === "move");
    this.#seen = last;
    const isMine = (seat: number | null | undefined) => seat != null && yours.includes(seat);
    if (fresh.some((event) => isMine(event.seat))) this.#moveOn();
    if (mayAct && !events.some((event) => event.kind === "move" && isMine(event.seat))) this.#note({ kind: "start" });
    for (const event of fresh) {
      if (event.seat === -1 || event.seat == null) continue;
      this.#note({ kind: "move", text: event.text ?? "", isMine: isMine(event.seat) });
    }
    const said = [scene?.status, outcome?.sentence, ...moves.map((move) => move.warning), ...fresh.map((event) => event.words)];
    this.#note({ kind: "said", keys: new Set(said.flatMap(keysOf)) });
  }

  #note(moment: Moment) {
    const isNew = (word: TutorInfo) => !this.#heard.has(word.id) && !this.#waiting.includes(word);
    this.#waiting.push(...this.#words.filter((word) => isNew(word) && fits(word, moment)));
    if (!this.word) this.next();
  }

  /** After a move of the person, what was said about the position before it is history. */
  #moveOn() {
    this.word = null;
    this.#waiting = [];
  }
}
