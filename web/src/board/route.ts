// What became of each piece between two scenes: the same one keeps its key and travels.

import type { Piece } from "../wire.gen";

export interface Placed extends Piece {
  key: number;
}

export interface Travel {
  key: number;
  /** The spots on the way, the first and the last included. */
  path: string[];
  /** How the piece looked and lay before. */
  was: Piece;
}

export interface Change {
  placed: Placed[];
  travels: Travel[];
  /** New ones, from nowhere. */
  born: number[];
  /** Gone ones, as they stood. */
  gone: Placed[];
}

let counter = 0;

const level = (piece: Piece) => piece.level ?? 0;
const face = (piece: Piece) => `${piece.tint ?? ""}|${piece.text ?? ""}`;

/** All pieces with keys of their own. */
export function place(pieces: readonly Piece[]): Placed[] {
  return pieces.map((piece) => ({ ...piece, key: ++counter }));
}

/** Follow the pieces of `before` into `after`, when the last move took `path`. */
export function follow(before: readonly Placed[], after: readonly Piece[], path: readonly string[]): Change {
  const left = new Map<number, Placed>(before.map((piece) => [piece.key, piece]));
  const result: (Placed | undefined)[] = after.map(() => undefined);
  const travels: Travel[] = [];
  const claim = (i: number, from: Placed) => {
    left.delete(from.key);
    result[i] = { ...(after[i] as Piece), key: from.key };
  };

  // What still stands where it stood.
  const standing = new Map<string, Placed[]>();
  for (const piece of before) {
    const name = `${piece.spot}|${level(piece)}|${piece.kind}|${face(piece)}`;
    standing.set(name, [...(standing.get(name) ?? []), piece]);
  }
  after.forEach((piece, i) => {
    const same = standing.get(`${piece.spot}|${level(piece)}|${piece.kind}|${face(piece)}`)?.shift();
    if (same) claim(i, same);
  });

  // What the move took along, then what must have gone the shortest way: the same face, from a spot to another.
  const [start, end] = [path[0], path[path.length - 1]];
  const waiting = () => after.map((piece, i) => [piece, i] as const).filter(([, i]) => !result[i]);
  for (const [piece, i] of waiting()) {
    if (start === undefined || start === end || piece.spot !== end) continue;
    const from = [...left.values()].find((old) => old.spot === start && face(old) === face(piece));
    if (!from) continue;
    claim(i, from);
    travels.push({ key: from.key, path: [...path], was: from });
  }
  for (const [piece, i] of waiting()) {
    const like = [...left.values()].filter((old) => face(old) === face(piece) && old.kind === piece.kind);
    const from = like.find((old) => old.spot === piece.spot) ?? like[0];
    if (!from) continue;
    claim(i, from);
    if (from.spot !== piece.spot) travels.push({ key: from.key, path: [from.spot, piece.spot], was: from });
  }
  // A turned-over one, or one whose number changed, stays the same thing.
  for (const [piece, i] of waiting()) {
    const from = [...left.values()].find((old) => old.spot === piece.spot && level(old) === level(piece));
    if (from && (from.kind === piece.kind || from.tint === piece.tint)) claim(i, from);
  }
  const born: number[] = [];
  for (const [piece, i] of waiting()) {
    result[i] = { ...piece, key: ++counter };
    born.push(counter);
  }
  return { placed: result as Placed[], travels, born, gone: [...left.values()] };
}
