// A tree of variations: the moves tried from one position, with branches and comments.

import type { OpenedRecord, OptionValue, TreeMove, Words } from "../wire.gen";

export interface Node {
  id: number;
  parent: number;
  /** With the letter of its seat: "A:5-6". */
  text: string;
  comment: string;
  /** What lists show instead of the text, as far as the server has said it. */
  short: string | Words | null;
  /** The first is the main move, the others are variations. */
  children: number[];
}

/** What a tree grows from. */
export interface Root {
  game: string;
  seats: number;
  options: Record<string, OptionValue>;
  /** The line of its position; empty: the start of the game. */
  position: string;
}

/** The id of the position the tree grows from. */
export const ROOT = -1;
export const MOST_MOVES = 3000;
const MOST_COMMENT = 500;

export class Tree {
  #nodes = new Map<number, Node>();
  #next = 0;

  constructor(readonly root: Root) {
    this.#nodes.set(ROOT, { id: ROOT, parent: ROOT, text: "", comment: "", short: null, children: [] });
  }

  static of(opened: OpenedRecord): Tree {
    const { game, seats, options, position = "", moves } = opened;
    const tree = new Tree({ game, seats, options, position });
    const ids: number[] = [];
    for (const { text, parent = -1, comment = "", short = null } of moves) {
      const id = tree.add(ids[parent] ?? ROOT, text, short);
      tree.comment(id, comment);
      ids.push(id);
    }
    return tree;
  }

  node(id: number): Node | undefined {
    return this.#nodes.get(id);
  }

  children(id: number): Node[] {
    return (this.node(id)?.children ?? []).map((child) => this.#nodes.get(child)).filter((node) => node !== undefined);
  }

  get size(): number {
    return this.#nodes.size - 1;
  }

  /** The move after another; one that was tried before is not tried twice. */
  add(parent: number, text: string, short: string | Words | null = null): number {
    const before = this.children(parent).find((node) => node.text === text);
    if (before) return before.id;
    if (this.size >= MOST_MOVES) return parent;
    const id = this.#next++;
    this.#nodes.set(id, { id, parent, text, comment: "", short, children: [] });
    this.node(parent)?.children.push(id);
    return id;
  }

  comment(id: number, text: string) {
    const node = this.node(id);
    if (node && id !== ROOT) node.comment = text.replace(/[{}]/g, "").replace(/\s+/g, " ").trim().slice(0, MOST_COMMENT);
  }

  /** Take a move and all that follows it out of the tree. */
  remove(id: number) {
    const node = this.node(id);
    if (!node || id === ROOT) return;
    const parent = this.node(node.parent);
    if (parent) parent.children = parent.children.filter((child) => child !== id);
    const gone = [id];
    for (let one = gone.pop(); one !== undefined; one = gone.pop()) {
      gone.push(...(this.node(one)?.children ?? []));
      this.#nodes.delete(one);
    }
  }

  /** Make the line that leads to a move the main line. */
  promote(id: number) {
    for (const node of this.path(id)) {
      const parent = this.node(node.parent);
      if (parent) parent.children = [node.id, ...parent.children.filter((child) => child !== node.id)];
    }
  }

  /** Whether a move is on the main line. */
  isMain(id: number): boolean {
    return this.path(id).every((node) => this.node(node.parent)?.children[0] === node.id);
  }

  /** The moves that lead to one, in order. */
  path(id: number): Node[] {
    const nodes: Node[] = [];
    for (let node = this.node(id); node && node.id !== ROOT; node = this.node(node.parent)) nodes.push(node);
    return nodes.reverse();
  }

  /** The moves that follow one by the main moves. */
  line(id: number): Node[] {
    const nodes: Node[] = [];
    for (let [node] = this.children(id); node; [node] = this.children(node.id)) nodes.push(node);
    return nodes;
  }

  /** The move that is reached by these texts; undefined when it has not been tried. */
  find(texts: readonly string[]): number | undefined {
    let at = ROOT;
    for (const text of texts) {
      const child = this.children(at).find((node) => node.text === text);
      if (!child) return undefined;
      at = child.id;
    }
    return at;
  }

  /** The tree as a file, which `POST /api/records` takes back: each move with the number of the one before it. */
  toFile(): object {
    const numbers = new Map([[ROOT, -1]]);
    const moves: [string, number, string?][] = [];
    // Main moves first, so that they are first again when the file is read.
    const open = [...this.children(ROOT)].reverse();
    for (let node = open.pop(); node; node = open.pop()) {
      numbers.set(node.id, moves.length);
      const parent = numbers.get(node.parent) ?? -1;
      moves.push(node.comment ? [node.text, parent, node.comment] : [node.text, parent]);
      open.push(...this.children(node.id).reverse());
    }
    return { tree: 1, ...this.root, moves };
  }

  /** The main line as a record; only of a tree that grows from the start of a game. */
  toRecord(): string {
    const { game, seats, options } = this.root;
    const tags = [`[Game "${game}"]`, `[Seats "${seats}"]`];
    for (const [name, value] of Object.entries(options)) tags.push(`[Option "${name}=${String(value)}"]`);
    const moves = this.line(ROOT).map((node) => (node.comment ? `${node.text} {${node.comment}}` : node.text));
    return `${tags.join("\n")}\n\n${moves.join("\n")}\n= *\n`;
  }
}

/** A tree that was kept by this page: what makes no sense is forgotten. */
export function fromFile(data: unknown): Tree | null {
  const file = data as Partial<Root> & { tree?: unknown; moves?: unknown };
  if (file?.tree !== 1 || typeof file.game !== "string" || typeof file.seats !== "number" || !Array.isArray(file.moves)) return null;
  const moves: TreeMove[] = [];
  for (const move of file.moves as unknown[]) {
    if (!Array.isArray(move) || typeof move[0] !== "string" || typeof move[1] !== "number") return null;
    moves.push({ text: move[0], parent: move[1], comment: typeof move[2] === "string" ? move[2] : "" });
  }
  const options = typeof file.options === "object" && file.options ? file.options : {};
  return Tree.of({ game: file.game, seats: file.seats, options, position: file.position ?? "", moves });
}
