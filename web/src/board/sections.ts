// Which pictures a table is drawn as. Where everybody has a place of their own, one's own is drawn larger.

import { fold } from "./geometry";
import { sheet, shifted, together, turned, type Sheet } from "./scene";
import { say } from "../lib/messages";
import type { Cell, Part } from "../wire.gen";

export interface Section extends Sheet {
  key: "whole" | "others" | "mine" | "hand";
}

/** From a card of a hand to the next, and from a row of them to the row below. */
const CARD = 0.88;
const ROW = 1.18;
/** Between two places, and between one and the stock beside it. */
const GAP = { x: 1.9, y: 2.2, mine: 0.35, last: 1.2 };
/** Of small open things the least that is seen of one under the next, and how far they keep from what stands there. */
const STRIP = 0.295;
const ASIDE = 0.82;
/** Where they are this far apart, their numbers are seen whole. */
const LOOSE = 0.55;
/** The upper edge of what lies beside a place. */
const TOP = 0.05;

/** Whole sentences stand under the boards as text, where they can be read at any size. */
export function notes(parts: readonly Part[]): string[] {
  return sheet(parts.filter((part) => part.role === "note")).labels.map((label) => say(label.text));
}

/**
 * The pictures as `seat` sees them, from the top (`stacked`) or side by side; with `hand` only what is one's own.
 * A common board is drawn as it lies, turned by so many degrees. Places, hands and a stock without a board are laid out
 * for the screen.
 */
export function sections(
  parts: readonly Part[],
  seat: number | null,
  narrow: boolean,
  hand: boolean,
  stacked = narrow,
  turn = 0,
): Section[] {
  const drawn = parts.filter((part) => part.role !== "note");
  const owned = drawn.filter((part) => part.owner != null);
  const common = drawn.filter((part) => part.owner == null);
  const board = common.some((part) => part.role !== "supply" && part.cells?.length);
  const whole: Section = { ...fold(turned(sheet(board ? common : []), turn)), key: "whole" };
  if (!owned.length) return [whole];
  const supply = sheet(board ? [] : common);
  const seats = [...new Set(owned.map((part) => part.owner ?? 0))];
  const found: Section[] = [];
  if (seat === null) {
    const across = narrow ? (seats.length <= 4 ? 2 : 3) : seats.length === 4 ? 2 : 3;
    const all = beside(seats.map((one) => place(owned, one)), across);
    found.push(whole, { ...together([all, stock(supply, right(all) + GAP.last)]), key: board ? "others" : "whole" });
  } else {
    // From the next one on, as they sit round the table.
    const [at, count] = [seats.indexOf(seat), seats.length];
    const others = [...seats.slice(at + 1), ...seats.slice(0, at < 0 ? count : at)].map((one) => place(owned, one));
    const mine = { ...place(owned, seat), labels: [] };
    if (!hand) found.push({ ...beside(others, stacked ? others.length : 2), key: "others" }, whole);
    found.push({ ...together([mine, stock(supply, right(mine) + GAP.mine)]), key: "mine" });
    found.push({ ...rows(owned.filter((part) => part.owner === seat && part.role === "hand")), key: "hand" });
  }
  return found.filter((section) => section.cells.length);
}

const right = ({ cells }: Sheet) => Math.max(0, ...cells.map((cell) => cell.x));
const bottom = ({ cells }: Sheet) => Math.max(0, ...cells.map((cell) => cell.y));

/** Moved so that its first place to the left and its highest are at (x, y). */
function moved(what: Sheet, x: number, y: number): Sheet {
  const [left, top] = [Math.min(...what.cells.map((cell) => cell.x)), Math.min(...what.cells.map((cell) => cell.y))];
  return what.cells.length ? shifted(what, x - left, y - top) : what;
}

/** What stands before a seat, its corner at (0, 0), its name below; small open things in the corners beside its top. */
function place(owned: readonly Part[], seat: number): Sheet {
  const mine = owned.filter((part) => part.owner === seat);
  const stands = moved(sheet(mine.filter((part) => part.role === "place")), 0, 0);
  const open = sheet(mine.filter((part) => part.role === "open")).cells;
  const name = stands.labels.find((label) => label.kind === "name");
  return {
    cells: [...stands.cells, ...fan(open, right(stands))],
    labels: name ? [{ ...name, x: right(stands) / 2, y: bottom(stands) + 1.08 }] : [],
    outlines: stands.outlines,
  };
}

/** Small open things beside the top of what is so wide: on its left, and where they are too many also on its right. */
function fan(open: readonly Cell[], width: number): Cell[] {
  const room = Math.max(STRIP, width / 2 - ASIDE);
  const most = Math.floor(room / STRIP) + 1;
  const left = open.length <= most ? open.length : Math.max(most, Math.ceil(open.length / 2));
  const step = (count: number) => Math.min(LOOSE, room / Math.max(1, count - 1));
  return open.map((cell, i) =>
    i < left
      ? { ...cell, x: i * step(left), y: TOP }
      : { ...cell, x: width - room + (i - left) * Math.min(STRIP, step(open.length - left)), y: TOP },
  );
}

/** Places side by side, so many in a row. */
function beside(places: readonly Sheet[], across: number): Sheet {
  const [width, high] = [Math.max(...places.map(right)), Math.max(...places.map(bottom))];
  return together(
    places.map((one, i) => shifted(one, (i % across) * (width + GAP.x), Math.floor(i / across) * (high + GAP.y))),
  );
}

/** A common stock at `x`, and below it how much there is of it. */
function stock(supply: Sheet, x: number): Sheet {
  if (!supply.cells.length) return { ...supply, labels: [] };
  const { cells } = moved(supply, x, TOP);
  const counts = supply.labels.filter((label) => label.kind === "count");
  const y = bottom({ ...supply, cells }) + 0.77;
  return { cells, labels: counts.map((label, i) => ({ ...label, x, y: y + 0.4 * i })), outlines: [] };
}

/** A hand in one or two rows. */
function rows(hand: readonly Part[]): Sheet {
  const { cells } = sheet(hand);
  const across = Math.max(5, Math.ceil(cells.length / 2));
  const laid = cells.map((cell, i) => {
    const row = Math.floor(i / across);
    const count = Math.min(across, cells.length - row * across);
    return { ...cell, x: ((i % across) - (count - 1) / 2) * CARD, y: row * ROW };
  });
  return { cells: laid, labels: [], outlines: [] };
}
