// Where everybody has a place of their own on the table (spots "A:c2"), a small screen shows one's own larger.

import type { Board, Cell } from "../wire.gen";

export interface Part extends Board {
  key: "whole" | "mine" | "others";
}

const HAND = /^[A-F]:[A-Z]\d'*$/;
const OPEN = /^[A-F]:open:/;
const PER_ROW = 6;

/** The boards to draw, from the top. */
export function sections(board: Board, seat: number | null, narrow: boolean, hand: boolean): Part[] {
  const whole: Part = { ...board, key: "whole" };
  if (seat === null || (!narrow && !hand)) return [whole];
  const mine = `${String.fromCharCode(65 + seat)}:`;
  const own = board.cells.filter((cell) => cell.spot.startsWith(mine));
  if (!own.length) return [whole];
  const part: Part = { ...own_(board, own, mine), key: "mine" };
  return hand ? [part] : [{ ...others(board, mine), key: "others" }, part];
}

function own_(board: Board, own: Cell[], mine: string): Board {
  const slots = own.filter((cell) => !HAND.test(cell.spot) && !OPEN.test(cell.spot));
  const open = own.filter((cell) => OPEN.test(cell.spot));
  const cards = own.filter((cell) => HAND.test(cell.spot));
  const left = Math.min(...slots.map((cell) => cell.x));
  const top = Math.min(...slots.map((cell) => cell.y));
  const width = Math.max(...slots.map((cell) => cell.x)) - left;
  const high = Math.max(...slots.map((cell) => cell.y)) - top;
  const middle = width / 2;
  // The pile stands in the empty corner beside the pyramid's top.
  const pile = board.cells.filter((cell) => cell.spot === "pile").map((cell) => ({ ...cell, x: width, y: 0.2 }));
  const row = (cells: Cell[], y: number, across: number) =>
    cells.map((cell, i) => {
      const line = Math.floor(i / across);
      const count = Math.min(across, cells.length - line * across);
      return { ...cell, x: middle + ((i % across) - (count - 1) / 2) * 0.88, y: y + line * 1.2 };
    });
  const openY = high + 1.35;
  const handY = openY + (open.length ? 1.3 : 0);
  const shelf = board.outlines.filter((outline) =>
    outline.every(([x, y]) => x >= left - 1 && x <= left + width + 1 && y >= top - 1 && y <= top + high + 1.2),
  );
  return {
    ...board,
    cells: [
      ...slots.map((cell) => ({ ...cell, x: cell.x - left, y: cell.y - top })),
      ...pile,
      ...row(open, openY, PER_ROW),
      ...row(cards, handY, cards.length > 2 * PER_ROW ? 7 : Math.max(4, Math.ceil(cards.length / 2))),
    ],
    outlines: shelf.map((outline) => outline.map(([x, y]): [number, number] => [x - left, y - top])),
    labels: [{ x: 0.2, y: 0, text: mine.slice(0, 1) }],
  };
}

function others(board: Board, mine: string): Board {
  const seatOf = (cell: Cell) => (/^[A-F]:/.test(cell.spot) ? cell.spot.slice(0, 2) : "");
  const seats = [...new Set(board.cells.map(seatOf))].filter((prefix) => prefix && prefix !== mine);
  const across = seats.length <= 1 ? 1 : seats.length <= 4 ? 2 : 3;
  const cells: Cell[] = [];
  const labels: Board["labels"] = [];
  const outlines: Board["outlines"] = [];
  seats.forEach((prefix, i) => {
    const own = board.cells.filter((cell) => seatOf(cell) === prefix && !HAND.test(cell.spot));
    const slots = own.filter((cell) => !OPEN.test(cell.spot));
    const left = Math.min(...slots.map((cell) => cell.x));
    const top = Math.min(...slots.map((cell) => cell.y));
    const width = Math.max(...slots.map((cell) => cell.x)) - left;
    const high = Math.max(...slots.map((cell) => cell.y)) - top;
    const dx = (i % across) * (width + 1.8) - left;
    const dy = Math.floor(i / across) * (high + 2.9) - top;
    cells.push(...own.map((cell) => ({ ...cell, x: cell.x + dx, y: cell.y + dy })));
    labels.push({ x: left + dx + 0.3, y: top + dy, text: prefix.slice(0, 1) });
    for (const outline of board.outlines) {
      if (outline.every(([x, y]) => x >= left - 1 && x <= left + width + 1 && y >= top - 1 && y <= top + high + 1.2)) {
        outlines.push(outline.map(([x, y]): [number, number] => [x + dx, y + dy]));
      }
    }
  });
  return { ...board, cells, labels, outlines };
}
