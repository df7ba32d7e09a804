// A table as this client sees it: what the server last said, and what the person is about to do.

import { manner, routeOf } from "../board/entering";
import { Picking } from "../board/picking.svelte";
import { changed } from "../board/scene";
import { api, refused, Refusal } from "../lib/api";
import { url } from "../lib/base";
import { list, say, sayToYou, t } from "../lib/messages";
import { called } from "../lib/names";
import { prefs } from "../lib/prefs.svelte";
import { play as sound } from "../lib/sound";
import type {
  Aiming,
  Choice,
  ClientMessage,
  Event,
  Filling,
  MoveMark,
  Offer,
  Outcome,
  Phrase,
  Part,
  Scene,
  SeatInfo,
  ServerMessage,
  Standing,
  TableInfo,
  Times,
  Tint,
  Update,
  Words,
} from "../wire.gen";
import { withNames } from "./endings";
import { motionOf, Motions, pusher } from "./motions.svelte";
import { isSaid, movesOf, news } from "./news";
import { Pace } from "./pace.svelte";
import { Line, type Link } from "./socket";
import { Steps } from "./steps.svelte";

export interface Says {
  text: string;
  tone: "quiet" | "danger";
  /** The words of the server that say it, which may be explained by a rule. */
  words?: Words | null | undefined;
}

const PATIENCE = 350;
const NONE: readonly Tint[] = [];
const NO_MOVES: readonly Choice[] = [];
const NO_PARTS: readonly Part[] = [];
/** Codes of a table that cannot come back, however often it is asked for. */
const LOST = ["unknown-table", "damaged-table", "banned"];

export class Table {
  /** The server cannot reach its database: nothing is lost, and nothing can be done. */
  noDatabase = $state(false);
  link = $state<Link>("connecting");
  info = $state.raw<TableInfo | null>(null);
  seats = $state.raw<SeatInfo[]>([]);
  /** How many look on without a seat. */
  watching = $state(0);
  /** Several people play: hints need the consent of all. */
  company = $state(false);
  hintsAgreed = $state(false);
  yours = $state.raw<number[]>([]);
  scene = $state.raw<Scene | null>(null);
  events = $state.raw<Event[]>([]);
  status = $state<Update["status"]>("waiting");
  seat = $state<number | null>(null);
  asked = $state.raw<number[]>([]);
  moves = $state.raw<Choice[]>([]);
  filling = $state.raw<Filling | null>(null);
  /** How to aim a move by hand. */
  aiming = $state.raw<Aiming | null>(null);
  times = $state.raw<(Times & { at: number }) | null>(null);
  offers = $state.raw<Standing[]>([]);
  outcome = $state.raw<Outcome | null>(null);
  /** Whether the game has ended before this client's eyes, and nothing was made of it yet. */
  justEnded = $state(false);
  path = $state.raw<string[]>([]);
  hinted = $state.raw<string[]>([]);
  /** The cells that the piece of a hint passes. */
  hintedWay = $state.raw<string[]>([]);
  /** A move that waits for a yes. */
  doubtful = $state.raw<Choice | null>(null);
  /** What an analysis thinks of the moves, by the numbers of their events. */
  marks = $state.raw<ReadonlyMap<number, MoveMark>>(new Map());
  says = $state.raw<Says | null>(null);
  /** For the live region. */
  news = $state("");
  gone = $state("");
  /** How many lines of chat by others have come that nobody here has seen. */
  unread = $state(0);
  /** The table of a rematch that was agreed on while this client held a seat: it goes there by itself. */
  next = $state("");
  waiting = $state(false);
  /** The move of nature that was waited for last, by its number. */
  awaited = $state<number | null>(null);
  readonly steps = new Steps(() => this.id);
  readonly motions: Motions;
  readonly pace = new Pace(() => this.seats);

  #version = 0;
  #queue: Update[] = [];
  #showing = false;
  #line: Line;
  #ids = 0;
  #told: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    private tokens: string[],
    readonly watch: boolean,
  ) {
    this.motions = new Motions(id);
    this.picking = new Picking({
      moves: () => (this.mayAct && !this.steps.isBack ? this.moves : NO_MOVES),
      parts: () => this.scene?.parts ?? NO_PARTS,
      taken: () => this.#taken(),
      done: (move) => this.#done(move),
      inquire: (spots) => this.#inquire(spots),
    });
    this.#line = new Line(
      url(`/api/tables/${encodeURIComponent(id)}/socket`),
      () => ({ type: "hello", tokens: this.tokens, version: this.#version, watch: this.watch }),
      (message) => this.#hear(message),
      (link) => (this.link = link),
    );
    api.table(id).catch((error: unknown) => {
      // A server that is only away for a moment is waited for.
      if (error instanceof Refusal && LOST.includes(error.code)) this.gone = error.message;
    });
  }

  close() {
    this.#line.close();
    this.motions.clear();
    clearTimeout(this.#told);
  }

  /** The token of a seat, if one came with the link. */
  get token() {
    return this.tokens[0] ?? "";
  }

  /** Hold a seat more: the server tells everything anew. */
  hold(token: string) {
    this.tokens = [...this.tokens, token];
    this.#line.again();
  }

  // What can be done.

  readonly mayAct = $derived(this.seat !== null && this.asked.includes(this.seat) && this.status === "playing");
  /** Nature is at it: something comes to rest, and nobody is asked. */
  readonly isResting = $derived(this.status === "playing" && !this.asked.length && !this.outcome);
  /** The seat of this client that must act but is not the one looked from. */
  readonly elsewhere = $derived(
    this.mayAct ? undefined : this.asked.find((seat) => this.yours.includes(seat) && seat !== this.seat),
  );
  /** The colours that the scene may name. */
  readonly palette = $derived(this.scene?.tints ?? NONE);
  readonly picking: Picking;

  /** What has been pointed at so far. */
  get picked() {
    return this.picking.picked;
  }
  set picked(spots: string[]) {
    this.picking.picked = spots;
  }
  get entry() {
    return this.picking.entry;
  }

  pick(spot: string) {
    if (this.steps.isBack) return this.say(t("say.stepping"));
    if (!this.mayAct) return this.#whyNot();
    if (!this.hinted.includes(spot)) this.#unhint();
    this.picking.pick(spot);
  }

  drop() {
    this.picking.drop();
    this.doubtful = null;
    this.#mended();
  }

  #taken() {
    this.#mended();
    sound("take");
  }

  #done(move: Choice) {
    if (this.isRisky(move)) this.doubtful = move;
    else this.make(move.text);
  }

  /** Whether to ask before this move: not when every other is as bad, or there is none. */
  isRisky(move: Choice | undefined): boolean {
    return !!move?.warning && this.moves.some((other) => !other.warning);
  }

  make(text: string) {
    this.doubtful = null;
    this.picked = [];
    this.waiting = this.#say({ type: "move", text, version: this.#version, ...this.#who(), id: ++this.#ids });
  }

  offer(what: Offer) {
    const seat = this.yours.length > 1 ? { seat: this.seat ?? this.yours[0] } : {};
    if (this.#say({ type: "offer", what, ...seat, id: ++this.#ids })) this.say(t(`offered.${what}`));
  }

  answer(what: Offer, yes: boolean, seat: number) {
    this.#say({ type: "answer", what, yes, seat, id: ++this.#ids });
  }

  resign() {
    this.#say({ type: "resign", ...this.#who(), id: ++this.#ids });
  }

  /** Whether the server gives hints here. */
  readonly mayHint = $derived(!this.company || this.hintsAgreed);

  /** Ask what to do, or the others whether that may be asked. */
  hint() {
    if (!this.mayHint && this.status === "playing" && this.yours.length) {
      if (!this.offers.some((offer) => offer.what === "hints")) this.offer("hints");
      return;
    }
    if (!this.mayAct) return this.#whyNot();
    if (this.#say({ type: "hint", ...this.#who(), id: ++this.#ids })) this.say(t("say.thinking"));
  }

  chat(text: string) {
    this.#say({ type: "chat", text, ...this.#who(), id: ++this.#ids });
  }

  phrase(phrase: Phrase) {
    this.#say({ type: "phrase", phrase, ...this.#who(), id: ++this.#ids });
  }

  look(seat: number) {
    this.picked = [];
    this.#say({ type: "look", seat });
  }

  say(text: string, tone: Says["tone"] = "quiet", words?: Words | null) {
    this.says = { text, tone, words };
    clearTimeout(this.#told);
    this.#told = setTimeout(() => (this.says = null), 6000);
  }

  #unhint() {
    this.hinted = [];
    this.hintedWay = [];
  }

  /** What was wrong before is so no longer. */
  #mended() {
    if (this.says?.tone === "danger") this.#hush();
  }

  #hush() {
    clearTimeout(this.#told);
    this.says = null;
  }

  /** The person's name, or what the game calls the seat. */
  name(seat: number): string {
    const role = say(this.scene?.players.find((line) => line.seat === seat)?.name);
    const name = called(this.seats.find((one) => one.seat === seat));
    if (!name) return role;
    const namesakes = this.seats.filter((one) => called(one) === name).length;
    return namesakes > 1 && role ? t("table.namesake", { name, role }) : name;
  }

  /** The moves that count: what was taken back is gone. */
  readonly made = $derived(movesOf(this.events));

  // Asking and hearing.

  #who(): { seat?: number } {
    return this.yours.length > 1 && this.seat !== null ? { seat: this.seat } : {};
  }

  #say(message: ClientMessage): boolean {
    const sent = this.#line.send(message);
    if (!sent) this.say(t("say.offline"), "danger");
    return sent;
  }

  #whyNot() {
    if (this.status === "over") this.say(t("say.over"));
    else if (this.status === "waiting") this.say(t("say.notStarted"));
    else if (!this.yours.length) this.say(t("say.watching"));
    else if (this.isResting) this.say(t("say.resting"));
    else this.say(t("say.notYourTurn", { name: list(this.asked.map((seat) => this.name(seat))) }));
  }

  /** Let the rules say why this cannot be done: the server refuses with a sentence. */
  #inquire(spots: string[]) {
    if (!this.filling) this.#say({ type: "why", spots, ...this.#who(), id: ++this.#ids });
  }

  #hear(message: ServerMessage) {
    if (message.type === "welcome") {
      this.noDatabase = false;
      this.info = message.table;
      this.seats = message.table.seats;
      this.watching = message.table.watching ?? 0;
      this.company = message.table.company ?? false;
      this.yours = message.yours;
      // What was under way when the line was cut either is in the log or never was.
      this.waiting = false;
      this.picked = [];
    } else if (message.type === "database") {
      this.noDatabase = !message.there;
    } else if (message.type === "seats") {
      this.seats = message.seats;
      this.watching = message.watching ?? 0;
      this.company = message.company ?? false;
    } else if (message.type === "update") {
      this.#queue.push(message);
      if (message.ack !== undefined || this.#queue.length >= this.pace.most) this.pace.next();
      if (!this.#showing) void this.#show();
    } else if (message.type === "hint") {
      if (this.events.some(({ kind, n }) => kind === "move" && n >= message.version)) return; // for an earlier position
      this.hinted = message.move.spots;
      this.hintedWay = routeOf(message.move, manner(this.scene?.parts ?? NO_PARTS));
      const move = say(message.short ?? message.move.text);
      this.news = t("news.hint", { move });
      this.say(t("say.hint", { move }));
    } else if (message.type === "refused") {
      this.waiting = false;
      this.picked = [];
      if (LOST.includes(message.code)) this.gone = refused(message);
      else this.say(refused(message), "danger", message.words);
    }
  }

  /** One after the other, each with its motion or animation; a long row of them is not worth waiting for. */
  async #show() {
    this.#showing = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const wait = this.scene && this.#queue.length < this.pace.most ? this.pace.before(next, this.#queue) : null;
      if (wait) await wait;
      const motion = this.scene && this.#queue.length < this.pace.most ? motionOf(next, this.#version) : undefined;
      if (motion) await this.#play(motion, [...this.events, ...next.events]);
      const moved = this.#apply(next, motion !== undefined);
      if (moved) this.pace.after();
      // What comes while a piece travels waits for it to land.
      if (moved && this.#queue.length < this.pace.most) await new Promise((done) => setTimeout(done, PATIENCE));
    }
    this.#showing = false;
  }

  /** The result is held back until everybody has seen how it came about. */
  async #play({ n }: Event, events: readonly Event[]) {
    const seat = pusher(events, n);
    if (seat !== undefined && this.scene) await this.motions.before(n, seat, this.scene);
  }

  #apply(update: Update, isPlayed: boolean): boolean {
    const first = this.scene === null;
    const wasAsked = this.mayAct;
    const wasSeat = this.seat;
    const have = this.#version;
    const fresh = update.events.filter((event) => event.n >= have || first);
    const last = fresh.findLast((event) => event.kind === "move");
    const nature = fresh.find((event) => event.kind === "move" && event.seat === -1);
    this.#version = update.version;
    if (last) {
      this.motions.clear();
      this.motions.isSeen &&= isPlayed;
    }
    if (this.isResting && nature) this.awaited = nature.n;
    if (update.scene) this.scene = update.scene;
    else if (update.change && this.scene) this.scene = changed(this.scene, update.change);
    this.events = first ? update.events : [...this.events, ...fresh];
    this.path = last?.path ?? [];
    this.status = update.status;
    this.seat = update.seat ?? null;
    this.asked = update.asked ?? [];
    this.moves = update.moves ?? [];
    // The same task again: what has been arranged so far stays.
    if (JSON.stringify(update.filling) !== JSON.stringify(this.filling ?? undefined)) this.filling = update.filling ?? null;
    this.aiming = update.aiming ?? null;
    this.times = update.times ? { ...update.times, at: Date.now() } : null;
    this.offers = update.offers ?? [];
    this.hintsAgreed = update.hints ?? false;
    for (const { kind, seat, text } of fresh) {
      // Whose seat a bot plays on looks on from now.
      if (kind === "handover") this.yours = this.yours.filter((one) => one !== seat);
      else if (kind === "takeback") this.steps.forget();
      else if (kind === "rematch" && this.info) {
        this.info = { ...this.info, rematch: text ?? "" };
        // Who looks on decides alone, and who comes back to an old table came to see it.
        if (!first && this.yours.length) this.next = text ?? "";
      }
    }
    this.outcome = update.outcome ?? null;
    this.#unhint();
    if (last) this.#hush(); // a message lives until the next move
    // Counted when it has been made, so that what is said of this turn does not change while the move is under way.
    if (last && update.ack !== undefined && this.info) prefs.countMove(this.info.game);
    if (last || first || wasSeat !== this.seat || update.ack !== undefined) {
      this.waiting = false;
      this.picked = [];
      this.doubtful = null;
    }
    if (this.info) this.info = { ...this.info, status: update.status, version: update.version };
    this.#announce(fresh, first, wasAsked);
    return last !== undefined && !first;
  }

  /** How things stand: what is asked, or how it ended. Several people at one screen are called what the game calls them. */
  stands(scene: Scene): string {
    if (this.outcome && !this.steps.isBack) return withNames(scene.status, scene, (seat) => this.name(seat));
    return this.mayAct && !this.steps.isBack && this.yours.length === 1 ? sayToYou(scene.status) : say(scene.status);
  }

  #announce(fresh: Event[], first: boolean, wasAsked: boolean) {
    const words = news(fresh, (seat) => this.name(seat));
    // What was declined before this page was opened is history.
    if (!first && fresh.some((event) => event.kind === "decline")) this.say(words.at(-1) ?? "");
    if (this.scene) words.push(this.stands(this.scene));
    this.news = words.join(" ");
    if (first) return;
    const said = fresh.filter((event) => isSaid(event) && !this.yours.includes(event.seat ?? -1)).length;
    this.unread += said;
    if (said) sound("chat");
    const isEnd = this.status === "over" && fresh.some((event) => event.kind === "move" || event.kind === "end");
    if (this.status !== "over") this.justEnded = false;
    else if (isEnd) this.justEnded = true;
    if (isEnd) sound("end");
    else if (fresh.some((event) => event.kind === "move")) sound("move");
    if (this.mayAct && !wasAsked && document.hidden) sound("turn");
  }
}
