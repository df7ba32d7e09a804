// Exploring: a tree of variations, the position that is looked at, and what the server says about it.

import { api, Refusal } from "../lib/api";
import { say, t } from "../lib/messages";
import { keep, recall } from "../lib/memory";
import type { BoardState, BoardTry, Evaluation, OpenedRecord, TreeMove } from "../wire.gen";
import { fromFile, ROOT, Tree, type Node, type Root } from "./tree";

/** So long an address may become; what is longer is shared as a file. */
const LONGEST = 1800;
const MOST_KEPT = 60;
const letter = (seat: number) => (seat < 0 ? "*" : String.fromCharCode(65 + seat));

export class Explore {
  tree = $state.raw<Tree>(new Tree({ game: "", seats: 2, options: {}, position: "" }));
  /** Grows with every change of the tree, which is changed in place. */
  changes = $state(0);
  at = $state(ROOT);
  board = $state.raw<BoardState | null>(null);
  /** What was said last: why something is no move, or what went wrong. */
  says = $state("");
  evaluation = $state.raw<Evaluation | null>(null);
  isThinking = $state(false);
  /** What the moves did, in words, as far as they have been seen. */
  labels = $state.raw<ReadonlyMap<string, string>>(new Map());
  names = $state.raw<Record<string, string>>({});

  #boards = new Map<string, BoardState>();
  #asked = 0;
  #redo: number[] = [];

  constructor(
    readonly game: string,
    /** The address is to say where we are. */
    private readonly onaddress: (query: string) => void,
  ) {}

  readonly path = $derived.by(() => (this.changes, this.tree.path(this.at)));
  readonly isOver = $derived(!!this.board?.outcome);

  /** Where to begin: what the address says, a table's game, or what this device kept. */
  async load(query: URLSearchParams) {
    const table = query.get("table");
    if (table) return this.#openTable(table, Number(query.get("at") ?? 0));
    const kept = fromFile(recall<{ tree?: object }>(`explore.${this.game}`, {}).tree);
    const asked = rootOf(this.game, query);
    const moves = (query.get("moves") ?? "").split(" ").filter(Boolean);
    if (asked && kept && JSON.stringify(kept.root) === JSON.stringify(asked)) {
      const found = kept.find(moves);
      if (found !== undefined) {
        const tree = await told(kept);
        return this.#take(tree, tree.find(moves));
      }
    }
    if (asked) return this.#take(planted(asked, moves), undefined);
    if (kept?.root.game === this.game) return this.#take(await told(kept), undefined);
    await this.begin();
  }

  /** Begin anew from the start of a game, with the usual rules. */
  async begin(seats?: number) {
    await this.#take(new Tree({ game: this.game, seats: seats ?? 0, options: {}, position: "" }), ROOT);
  }

  /** Begin anew from another position. */
  async beginAt(position: string) {
    await this.#take(new Tree({ ...this.tree.root, position }), ROOT);
  }

  async open(opened: OpenedRecord, at?: number) {
    this.names = opened.names ?? {};
    const tree = Tree.of(opened);
    const line = tree.line(ROOT);
    await this.#take(tree, (at === undefined ? line.at(-1) : line[at - 1])?.id ?? ROOT);
  }

  async #openTable(table: string, at: number) {
    try {
      const record = await api.record(table);
      const moves = record.moves.map(([seat, text], n): TreeMove => ({ text: `${seat}:${text}`, parent: n - 1, comment: "" }));
      await this.open({ ...record, moves, names: record.tags }, at);
    } catch (error) {
      this.says = (error as Error).message;
      await this.begin();
    }
  }

  async #take(tree: Tree, at: number | undefined) {
    this.#boards.clear();
    this.labels = new Map();
    this.tree = tree;
    await this.go(at ?? tree.line(ROOT).at(-1)?.id ?? ROOT);
  }

  /** Look at the position after a move. */
  async go(id: number) {
    this.at = id;
    this.says = "";
    this.evaluation = null;
    await this.#look();
  }

  async undo() {
    const node = this.tree.node(this.at);
    if (!node || node.id === ROOT) return;
    this.#redo.push(node.id);
    await this.go(node.parent);
  }

  async redo() {
    const children = this.tree.children(this.at);
    const last = this.#redo.pop();
    const next = children.find((node) => node.id === last) ?? children[0];
    if (next) await this.go(next.id);
  }

  /** Make a move of the seat that is asked. */
  async play(text: string) {
    if (!this.board) return;
    this.#redo = [];
    const from = this.at;
    const id = this.tree.add(from, `${letter(this.board.seat)}:${text}`);
    const isNew = !this.tree.node(id)?.children.length;
    this.#changed();
    await this.go(id);
    if (this.says && this.at === id && isNew) {
      const why = this.says;
      this.tree.remove(id);
      this.#changed();
      await this.go(from);
      this.says = why;
    }
  }

  /** Say why pointing at these places is no move. */
  async inquire(spots: string[]) {
    try {
      const { why } = await api.board(this.game, { ...this.#body(), spots });
      this.says = why ? say(why) : "";
    } catch (error) {
      this.says = (error as Error).message;
    }
  }

  async evaluate() {
    if (this.isThinking || !this.board) return;
    this.isThinking = true;
    this.says = "";
    const asked = this.#asked;
    try {
      const found = await api.evaluate(this.game, this.#body());
      if (asked === this.#asked) this.evaluation = found;
    } catch (error) {
      if (asked === this.#asked) this.says = (error as Error).message;
    } finally {
      this.isThinking = false;
    }
  }

  // The tree.

  async remove(id: number) {
    const gone = this.tree.path(this.at).some((node) => node.id === id);
    const parent = this.tree.node(id)?.parent ?? ROOT;
    this.tree.remove(id);
    this.#changed();
    if (gone) await this.go(parent);
  }

  promote(id: number) {
    this.tree.promote(id);
    this.#changed();
  }

  comment(id: number, text: string) {
    this.tree.comment(id, text);
    this.#changed();
  }

  /** The part of an address that says what is looked at; empty when that would be too long. */
  readonly query = $derived.by(() => {
    const { seats, options, position } = this.tree.root;
    const query = new URLSearchParams();
    if (seats) query.set("seats", String(seats));
    if (Object.keys(options).length) query.set("options", JSON.stringify(options));
    if (position) query.set("position", position);
    const moves = this.path.map((node) => node.text).join(" ");
    if (moves) query.set("moves", moves);
    const text = query.toString();
    return text.length > LONGEST ? "" : text;
  });

  #body(path = this.tree.path(this.at)): BoardTry {
    const { seats, options, position } = this.tree.root;
    return { ...(seats ? { seats } : {}), options, position, moves: path.map((node) => node.text) };
  }

  async #look() {
    const asked = ++this.#asked;
    const path = this.tree.path(this.at);
    const key = path.map((node) => node.text).join(" ");
    try {
      const board = this.#boards.get(key) ?? (await api.board(this.game, this.#body(path)));
      this.#keep(key, board);
      if (asked !== this.#asked) return;
      this.board = board;
      if (!this.tree.root.seats) this.#settleSeats(board);
      this.#learn(key, board);
      this.#remember();
      // Nature moves by itself, unless its move has been looked at before.
      if (board.nature && !this.tree.children(this.at).length) {
        const id = this.tree.add(this.at, board.nature);
        this.#changed();
        await this.go(id);
      }
    } catch (error) {
      if (asked !== this.#asked) return;
      this.says = (error as Error).message;
      // What was kept, or came with the address, makes no sense: begin at its beginning, or at that of the game.
      if (this.board === null && error instanceof Refusal && error.code !== "offline") {
        if (this.at !== ROOT) this.at = ROOT;
        else if (this.tree.root.position || this.tree.root.seats) this.tree = new Tree({ game: this.game, seats: 0, options: {}, position: "" });
        else return;
        const why = this.says;
        await this.#look();
        this.says = why;
      }
    }
  }

  #settleSeats(board: BoardState) {
    this.tree.root.seats = board.scene.players.length;
    this.#changed();
  }

  #keep(key: string, board: BoardState) {
    this.#boards.delete(key);
    this.#boards.set(key, board);
    const [oldest] = this.#boards.keys();
    if (this.#boards.size > MOST_KEPT && oldest !== undefined) this.#boards.delete(oldest);
  }

  #learn(key: string, board: BoardState) {
    const { last, scene } = board;
    if (!last) return;
    const name = say(scene.players.find((line) => line.seat === last.seat)?.name);
    const words = say(last.words, last.seat < 0 ? {} : { who: name });
    const node = this.tree.node(this.at);
    if (node && node.short === null) {
      node.short = last.short ?? last.text;
      this.changes++;
    }
    this.labels = new Map(this.labels).set(key, words);
  }

  #changed() {
    this.changes++;
    this.#remember();
  }

  #remember() {
    keep(`explore.${this.game}`, { tree: this.tree.toFile() });
    this.onaddress(this.query);
  }
}

/** The move's own text, without the letter of its seat. */
export const plain = (text: string) => text.replace(/^[A-F*]:/, "");

/** A kept tree with what its moves are called; as it is when the server does not say. */
async function told(tree: Tree): Promise<Tree> {
  if (!tree.size || !tree.root.seats) return tree;
  try {
    return Tree.of(await api.openRecord(JSON.stringify(tree.toFile())));
  } catch {
    return tree;
  }
}

/** What a list calls a move. */
export function labelOf(node: Node): string {
  return node.short === null ? plain(node.text) : say(node.short) || t("explore.nature");
}

/** The root that an address speaks of; null when it says nothing. */
function rootOf(game: string, query: URLSearchParams): Root | null {
  if (!["seats", "position", "moves", "options"].some((name) => query.has(name))) return null;
  let options: unknown = {};
  try {
    options = JSON.parse(query.get("options") ?? "{}");
  } catch {
    // What cannot be read is left out: the server says what is wrong with the rest.
  }
  const isPlain = typeof options === "object" && options !== null && !Array.isArray(options);
  return {
    game,
    seats: Number(query.get("seats") ?? 0) || 0,
    options: (isPlain ? options : {}) as Root["options"],
    position: query.get("position") ?? "",
  };
}

function planted(root: Root, moves: readonly string[]): Tree {
  const tree = new Tree(root);
  let at = ROOT;
  for (const text of moves) at = tree.add(at, text);
  return tree;
}
