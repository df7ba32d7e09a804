// A run through the lessons of a game: which step, what is to be seen of it, and what came of a try.

import { manner, routeOf } from "../board/entering";
import { calm } from "../board/motion";
import { api } from "../lib/api";
import { say, t } from "../lib/messages";
import { play as sound } from "../lib/sound";
import type { LessonFrame, LessonInfo, LessonState, LessonTry, Scene, Words } from "../wire.gen";
import { keepProgress, progressOf } from "./progress";

/** So many wrong tries, and the page offers to show what is meant. */
const TRIES = 2;
/** Milliseconds from one move to the next, so that each can be followed. */
const PAUSE = 700;
/** Before something is shown: where to look. */
const LOOK = 900;

export interface Said {
  tone: "done" | "wrong" | "shown";
  text: string;
  /** What the rules said, where it was not the step that said no. */
  refused: Words | null;
}

export class Course {
  steps = $state.raw<readonly LessonInfo[]>([]);
  /** The number of the step; as many as there are steps: all are behind. */
  at = $state(0);
  done = $state.raw<ReadonlySet<string>>(new Set());
  /** What the server last said about the step. */
  state = $state.raw<LessonState | null>(null);
  scene = $state.raw<Scene | null>(null);
  path = $state.raw<readonly string[]>([]);
  hinted = $state.raw<readonly string[]>([]);
  /** The way of the move that is pointed out. */
  way = $state.raw<readonly string[]>([]);
  said = $state.raw<Said | null>(null);
  /** For the live region. */
  news = $state("");
  trouble = $state("");
  isLoaded = $state(false);
  tries = $state(0);
  /** Something is under way: an answer, or a piece. */
  busy = $state(false);

  /** The moves of the learner that were right so far. */
  #moves: readonly string[] = [];
  /** Which step is meant: an answer that comes too late is for another one. */
  #run = 0;

  constructor(
    readonly game: string,
    /** A piece that was in the hand for nothing is put back. */
    private readonly onwrong: () => void = () => {},
  ) {}

  readonly step = $derived.by(() => this.steps[this.at]);
  readonly isOver = $derived.by(() => this.steps.length > 0 && this.at >= this.steps.length);
  readonly isDone = $derived.by(() => this.state?.verdict === "done");
  readonly isStuck = $derived.by(() => this.tries >= TRIES && !this.isDone);
  readonly moves = $derived.by(() => (this.isDone ? [] : (this.state?.moves ?? [])));
  readonly isPointing = $derived.by(() => !!this.step?.points && !this.isDone);

  /** Begin with the step of this name, else where the person stopped. */
  async load(wanted = "") {
    const { at, done } = progressOf(this.game);
    try {
      this.steps = await api.lessons(this.game);
    } catch (error) {
      this.trouble = (error as Error).message;
      return;
    }
    this.isLoaded = true;
    this.done = new Set(done);
    const named = (id: string) => this.steps.findIndex((step) => step.id === id);
    await this.go(Math.max(0, wanted && named(wanted) >= 0 ? named(wanted) : named(at)));
  }

  /** To a step; behind the last one is the end. The sentence changes together with the board. */
  async go(to: number) {
    const at = Math.max(0, Math.min(this.steps.length, to));
    this.#run++;
    const state = this.steps[at] ? await this.#ask({}, at) : null;
    if (state === undefined) return;
    this.at = at;
    this.#moves = [];
    this.said = null;
    this.tries = 0;
    this.busy = false;
    this.#keep();
    if (state) this.#see(state);
    if (this.step) this.news = t("learn.news.step", { n: at + 1, count: this.steps.length, words: this.step.words });
  }

  /** The step from its beginning. */
  again() {
    return this.go(this.at);
  }

  play(move: string) {
    return this.#try({ move });
  }

  /** Pointing where that is asked for, or where it is no move: the answer says why. */
  point(spots: readonly string[]) {
    return this.#try({ spots: [...spots] });
  }

  /** Do it in the learner's place, one move after the other. */
  async show() {
    const run = this.#run;
    while (run === this.#run && !this.isDone && !this.trouble) await this.#try({ show: true });
  }

  async #try(tried: LessonTry) {
    if (this.busy || this.isDone || !this.step) return;
    this.busy = true;
    const run = this.#run;
    const state = await this.#ask({ ...tried, moves: [...this.#moves] });
    if (!state) return;
    if (state.verdict === "wrong") this.#miss(state);
    else await this.#hit(state, run, tried.show ?? false);
    if (run === this.#run) this.busy = false;
  }

  #miss(state: LessonState) {
    this.tries++;
    this.said = { tone: "wrong", text: say(state.said), refused: (state.refused && state.said) || null };
    this.news = this.said.text;
    this.onwrong();
  }

  async #hit(state: LessonState, run: number, isShown: boolean) {
    const { did = "" } = state;
    if (isShown) await this.#look(did);
    if (run !== this.#run) return;
    const told = await this.#follow(state.frames ?? [], state, run);
    if (run !== this.#run) return;
    this.#moves = did ? [...this.#moves, did] : this.#moves;
    this.#see(state);
    if (this.step?.points) this.hinted = [did];
    if (state.verdict === "done") {
      this.said = { tone: isShown ? "shown" : "done", text: say(state.said), refused: null };
      told.push(this.said.text);
      if (this.step) this.done = new Set([...this.done, this.step.id]);
      this.#keep();
      sound("end");
    } else if (this.step) {
      this.said = null;
      told.push(t("learn.on"));
    }
    this.news = told.join(" ");
  }

  /** Where it is about to happen. */
  async #look(did: string) {
    const move = this.moves.find((one) => one.text === did);
    this.hinted = move ? move.spots : this.step?.points ? [did] : [];
    this.way = move ? routeOf(move, manner(this.scene?.parts ?? [])) : [];
    if (this.hinted.length) await pause(LOOK);
  }

  /** The move and what answers it, one after the other; returns what is to be told of it. */
  async #follow(frames: readonly LessonFrame[], state: LessonState, run: number): Promise<string[]> {
    const told: string[] = [];
    for (const [n, frame] of frames.entries()) {
      if (run !== this.#run) break;
      if (n) await pause(PAUSE);
      if (run !== this.#run) break;
      const scene = frame.scene ?? state.scene;
      const who = scene.players.find((line) => line.seat === frame.seat)?.name;
      told.push(say(frame.words, who ? { who } : {}));
      this.hinted = [];
      this.way = [];
      this.path = frame.path ?? [];
      this.scene = scene;
      sound("move");
    }
    return told;
  }

  #see(state: LessonState) {
    this.state = state;
    this.scene = state.scene;
    this.hinted = state.hinted ?? [];
    this.way = state.way ?? [];
    if (!state.frames?.length) this.path = [];
  }

  async #ask(body: LessonTry, at = this.at): Promise<LessonState | undefined> {
    const run = this.#run;
    try {
      const state = await api.lesson(this.game, this.steps[at]?.id ?? "", body);
      this.trouble = "";
      return run === this.#run ? state : undefined;
    } catch (error) {
      if (run === this.#run) {
        this.trouble = (error as Error).message;
        this.news = this.trouble;
        this.busy = false;
        this.onwrong();
      }
      return undefined;
    }
  }

  #keep() {
    keepProgress(this.game, { at: this.step?.id ?? "", done: [...this.done] });
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, calm() ? ms / 2 : ms));
