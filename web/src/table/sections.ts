// Where everybody has a place of their own on the table (spots "A:c2"), one's own is drawn larger than the others'.

import { say } from "../lib/messages";
import type { Board, Cell, Label } from "../wire.gen";

export interface Part extends Board {
  key: "whole" | "others" | "mine" | "hand";
}

const HAND = /^[A-F]:[A-Z]\d'*$/;
const OPEN = /^[A-F]:open:/;
const CARD = 0.88;

/** Whole sentences on a board stand under it as text, where they can be read at any size. */
export function notes(board: Board): string[] {
  return board.labels.filter(isNote).map((label) => say(label.text));
}

const isNote = (label: Label) => label.kind === "note";

/** The boards to draw, from the top (`stacked`) or side by side. A table without such places is one board. */
export function sections(table: Board, seat: number | null, narrow: boolean, hand: boolean, stacked = narrow): Part[] {
  const board = { ...table, labels: table.labels.filter((label) => !isNote(label)) };
  const seats = [...new Set(board.cells.map(owner))].filter(Boolean);
  const mine = seat === null ? "" : String.fromCharCode(65 + seat);
  if (!seats.length) return [{ ...board, key: "whole" }];
  if (!mine) return [{ ...beside(board, seats, narrow ? undefined : Math.min(3, seats.length === 4 ? 2 : seats.length)), key: "whole" }];
  const parts: Part[] = [
    { ...own(board, mine), key: "mine" },
    { ...cards(board, mine), key: "hand" },
  ];
  const others = seats.filter((other) => other !== mine);
  if (!hand) parts.unshift({ ...beside(board, others, stacked ? others.length : Math.min(2, others.length)), key: "others" });
  return parts.filter((part) => part.cells.length);
}

/** "A" of "A:c2"; nothing for what belongs to nobody. */
function owner(cell: Cell): string {
  return /^[A-F]:/.test(cell.spot) ? cell.spot.slice(0, 1) : "";
}

/** A seat's pyramid with its corner at (0, 0), the cards that lie open in the free corner beside its top. */
function corner(board: Board, seat: string) {
  const all = board.cells.filter((cell) => owner(cell) === seat && !HAND.test(cell.spot));
  const slots = all.filter((cell) => !OPEN.test(cell.spot));
  const open = all.filter((cell) => OPEN.test(cell.spot));
  const left = Math.min(...slots.map((cell) => cell.x));
  const top = Math.min(...slots.map((cell) => cell.y));
  const width = Math.max(...slots.map((cell) => cell.x)) - left;
  const high = Math.max(...slots.map((cell) => cell.y)) - top;
  const step = open.length > 2 ? 0.9 / (open.length - 1) : 0.45;
  const shelves = board.outlines.filter((outline) =>
    outline.every(([x, y]) => x > left - 1 && x < left + width + 1 && y > top - 1 && y < top + high + 1.2),
  );
  const name = board.labels.find(
    (label) => label.kind === "name" && Math.abs(label.x - left - width / 2) < 0.6 && label.y < top && label.y > top - 2,
  );
  return {
    width,
    high,
    cells: [
      ...slots.map((cell) => ({ ...cell, x: cell.x - left, y: cell.y - top })),
      ...open.map((cell, i) => ({ ...cell, x: i * step, y: 0.05 })),
    ],
    outlines: shelves.map((shelf) => shelf.map(([x, y]): [number, number] => [x - left, y - top])),
    labels: [{ x: width / 2, y: high + 1.08, text: name?.text ?? seat, kind: "name" as const }],
  };
}

function own(board: Board, mine: string): Board {
  const { width, cells, outlines } = corner(board, mine);
  const { pile, labels } = piles(board, width + 0.35);
  return { ...board, cells: [...cells, ...pile], outlines, labels };
}

/** The draw pile at `x`, and how many cards are discarded. */
function piles(board: Board, x: number) {
  const pile = board.cells.filter((cell) => cell.spot === "pile").map((cell) => ({ ...cell, x, y: 0.05 }));
  const counts = board.labels.filter((label) => label.kind === "count").map((label) => ({ ...label, x, y: 0.82 }));
  return { pile, labels: pile.length ? counts : [] };
}

function cards(board: Board, mine: string): Board {
  const held = board.cells.filter((cell) => owner(cell) === mine && HAND.test(cell.spot));
  const across = Math.max(5, Math.ceil(held.length / 2));
  const cells = held.map((cell, i) => {
    const row = Math.floor(i / across);
    const count = Math.min(across, held.length - row * across);
    return { ...cell, x: ((i % across) - (count - 1) / 2) * CARD, y: row * 1.18 };
  });
  return { ...board, cells, outlines: [], labels: [] };
}

/** Pyramids side by side; for whom none is their own (`across` given or not), the pile stands beside the last. */
function beside(board: Board, seats: string[], wide?: number): Board {
  const across = wide ?? (seats.length <= 1 ? 1 : seats.length <= 4 ? 2 : 3);
  const together: Board = { ...board, cells: [], outlines: [], labels: [] };
  seats.forEach((seat, i) => {
    const part = corner(board, seat);
    const dx = (i % across) * (part.width + 1.9);
    const dy = Math.floor(i / across) * (part.high + 2.2);
    together.cells.push(...part.cells.map((cell) => ({ ...cell, x: cell.x + dx, y: cell.y + dy })));
    together.labels.push(...part.labels.map((label) => ({ ...label, x: label.x + dx, y: label.y + dy })));
    together.outlines.push(...part.outlines.map((line) => line.map(([x, y]): [number, number] => [x + dx, y + dy])));
  });
  if (seats.length === new Set(board.cells.map(owner)).size - 1) {
    const { pile, labels } = piles(board, Math.max(...together.cells.map((cell) => cell.x)) + 1.2);
    together.cells.push(...pile);
    together.labels.push(...labels);
  }
  return together;
}
