// Name plates: who sits where, their numbers, and who acts. They are painted once and stand upright on the screen.

import { mix } from "../board/paint";
import { say, t } from "../lib/messages";
import type { PlayerPanel, Tint } from "../wire.gen";
import { type Brush, FONT, sign } from "./faces";

/** What stands on a plate. */
export interface Plate {
  title: string;
  lines: string[];
  tint: Tint | null;
  acts: boolean;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How big the writing is: pixels of the page. */
export interface Type {
  size: number;
  most: number;
}

const INK = { light: "#2b2622", dark: "#efe7da" } as const;
const CARD = { light: "#fffaf0", dark: "#282420" } as const;

/** The plate of a player: name, then numbers and what else is to be said. */
export function plateOf(player: PlayerPanel, name: string | undefined, tint: Tint | undefined): Plate {
  const counts = Object.entries(player.counts ?? {}).map(([key, value]) => `${t(key)} ${say(value)}`);
  const lines = player.note ? [...counts, say(player.note)] : counts;
  return { title: name || say(player.name), lines, tint: tint ?? null, acts: player.acts ?? false };
}

/** Words that fit, several to a line. */
export function wrapped(words: readonly string[], most: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length ? `${lines.at(-1)} · ${word}` : word;
    if (lines.length && measure(longer) <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function cut(brush: Brush, text: string, most: number): string {
  if (brush.measureText(text).width <= most) return text;
  const letters = [...text];
  while (letters.length > 1 && brush.measureText(`${letters.join("")}…`).width > most) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

const bold = (size: number) => `650 ${size}px ${FONT}`;
const plain = (size: number) => `450 ${size * 0.9}px ${FONT}`;

/** How big a plate is, and what paints it at (0, 0). */
export function drawn(brush: Brush, plate: Plate, { size, most }: Type, isDark: boolean): { width: number; height: number; paint: (brush: Brush) => void } {
  const [pad, mark] = [size * 0.55, plate.tint ? size * 1.35 : 0];
  brush.font = bold(size);
  const title = cut(brush, plate.title, most - mark);
  const wide = brush.measureText(title).width + mark;
  brush.font = plain(size);
  const lines = wrapped(plate.lines, most, (text) => brush.measureText(text).width);
  const width = Math.max(wide, ...lines.map((line) => brush.measureText(line).width)) + 2 * pad;
  const height = (title ? size * 1.3 : 0) + lines.length * size * 1.2 + pad;
  const theme = isDark ? "dark" : "light";
  const ink = plate.acts ? "#ffffff" : INK[theme];
  const paint = (on: Brush) => {
    on.beginPath();
    on.roundRect(1, 1, width - 2, height - 2, size * 0.6);
    on.fillStyle = plate.acts ? "#23776d" : CARD[theme];
    on.globalAlpha = plate.acts ? 1 : 0.93;
    on.fill();
    on.globalAlpha = 1;
    on.lineWidth = plate.acts ? 2 : 1;
    on.strokeStyle = plate.acts ? "#ffffff" : mix(CARD[theme], INK[theme], 0.22);
    on.stroke();
    on.textBaseline = "middle";
    on.textAlign = "left";
    let y = pad / 2;
    if (title) {
      y += size * 0.65;
      if (plate.tint) {
        on.fillStyle = plate.tint.fill;
        on.beginPath();
        on.arc(pad + size * 0.5, y, size * 0.55, 0, 7);
        on.fill();
        on.fillStyle = plate.tint.ink;
        sign(on, plate.tint.shape, pad + size * 0.5, y, size * 0.6);
      }
      on.fillStyle = ink;
      on.font = bold(size);
      on.fillText(title, pad + mark, y + 0.5);
      y += size * 0.65;
    }
    on.fillStyle = ink;
    on.font = plain(size);
    for (const line of lines) {
      on.fillText(line, pad, y + size * 0.6);
      y += size * 1.2;
    }
  };
  return { width, height, paint };
}

/** Moves boxes apart that lie over each other, and keeps them inside; x and y are their middles. */
export function apart(boxes: readonly Box[], inside: { width: number; height: number }, gap = 4): void {
  const keep = (box: Box) => {
    box.x = Math.min(Math.max(box.x, box.width / 2 + gap), Math.max(inside.width - box.width / 2 - gap, box.width / 2 + gap));
    box.y = Math.min(Math.max(box.y, box.height / 2 + gap), Math.max(inside.height - box.height / 2 - gap, box.height / 2 + gap));
  };
  boxes.forEach(keep);
  for (let round = 0; round < 12; round++) {
    let isClear = true;
    boxes.forEach((a, i) =>
      boxes.slice(i + 1).forEach((b) => {
        const over = (a.width + b.width) / 2 + gap - Math.abs(a.x - b.x);
        const up = (a.height + b.height) / 2 + gap - Math.abs(a.y - b.y);
        if (over <= 0.01 || up <= 0.01) return;
        isClear = false;
        if (over < up) {
          const way = (a.x <= b.x ? 1 : -1) * (over / 2);
          [a.x, b.x] = [a.x - way, b.x + way];
        } else {
          const way = (a.y <= b.y ? 1 : -1) * (up / 2);
          [a.y, b.y] = [a.y - way, b.y + way];
        }
        keep(a);
        keep(b);
      }),
    );
    if (isClear) return;
  }
}
