// Everything that is painted on something: wood, the skin of a piece, cards, name plates. No fonts for signs.

import { CanvasTexture, SRGBColorSpace } from "three";

import { dark, mix, SIGNS } from "../board/paint";
import type { Tint } from "../wire.gen";

export const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
export type Brush = CanvasRenderingContext2D;

/** What cannot be told: grey, with a question mark. */
export const UNKNOWN: Pick<Tint, "fill" | "ink" | "letter" | "shape"> = { fill: "#b9aea0", ink: "#2b2622", letter: "?", shape: "" };
export type Face = typeof UNKNOWN;

/** A texture of so many pixels that `paint` paints. */
export function painted(width: number, height: number, paint: (brush: Brush) => void): CanvasTexture {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.ceil(width), Math.ceil(height)];
  const brush = canvas.getContext("2d");
  if (!brush) throw new Error("This browser does not paint.");
  paint(brush);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

export function sign(brush: Brush, shape: string, x: number, y: number, size: number): void {
  const path = SIGNS[shape];
  if (!path) return;
  brush.save();
  brush.translate(x, y);
  brush.scale(size / 2, size / 2);
  brush.fill(new Path2D(path));
  brush.restore();
}

export function write(brush: Brush, text: string, x: number, y: number, size: number, weight = 700): void {
  brush.font = `${weight} ${size}px ${FONT}`;
  brush.textAlign = "center";
  brush.textBaseline = "middle";
  brush.fillText(text, x, y + size * 0.04);
}

/** The same numbers again and again: wood must not change when a window does. */
function dice(seed: number): () => number {
  let state = seed;
  return () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648);
}

/** Boards side by side with their grain, of beech or walnut. */
export function wood(isDark: boolean): CanvasTexture {
  const [size, boards] = [1024, 6];
  const [plain, grain] = isDark ? ["#6b4a2f", "#432c1b"] : ["#dcbf94", "#b98d57"];
  return painted(size, size, (brush) => {
    const random = dice(7);
    const tall = size / boards;
    for (let board = 0; board < boards; board++) {
      const top = board * tall;
      brush.fillStyle = mix(plain, random() < 0.5 ? "#ffffff" : grain, random() * (isDark ? 0.07 : 0.16));
      brush.fillRect(0, top, size, tall);
      brush.save();
      brush.beginPath();
      brush.rect(0, top, size, tall);
      brush.clip();
      brush.strokeStyle = grain;
      for (let line = 0; line < 26; line++) {
        const y = top + random() * tall;
        const [bend, at, wide] = [(random() - 0.5) * 22, random(), 0.6 + random() * 1.6];
        brush.globalAlpha = 0.08 + random() * 0.14;
        brush.lineWidth = wide;
        brush.beginPath();
        brush.moveTo(-10, y);
        brush.bezierCurveTo(size * 0.3, y + bend, size * (0.4 + at * 0.3), y - bend, size + 10, y + bend * 0.3);
        brush.stroke();
      }
      for (let fleck = 0; fleck < 90; fleck++) {
        brush.globalAlpha = 0.1 + random() * 0.12;
        brush.fillStyle = grain;
        brush.fillRect(random() * size, top + random() * tall, 5 + random() * 12, 1.2);
      }
      brush.restore();
      brush.globalAlpha = isDark ? 0.45 : 0.28;
      brush.fillStyle = grain;
      brush.fillRect(0, top, size, 1.6);
      brush.globalAlpha = 1;
    }
  });
}

/** A soft round spot that fades to nothing at its edge. */
export function softSpot(colour: string, strength: number): CanvasTexture {
  return painted(128, 128, (brush) => {
    const fade = brush.createRadialGradient(64, 64, 4, 64, 64, 63);
    const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    fade.addColorStop(0, `rgba(${r},${g},${b},${strength})`);
    fade.addColorStop(0.55, `rgba(${r},${g},${b},${strength * 0.62})`);
    fade.addColorStop(1, `rgba(${r},${g},${b},0)`);
    brush.fillStyle = fade;
    brush.fillRect(0, 0, 128, 128);
  });
}

/** How the skin of a piece is laid out: its wall as a band above, its end as a disc and something plain below it. */
export const SKIN = { width: 768, wall: 270, end: 256 } as const;

/** The skin of a piece, with its letter and sign on four sides and on its end, so that some are always in sight. */
export function skin(face: Face): CanvasTexture {
  const { width, wall, end } = SKIN;
  return painted(width, wall + end, (brush) => {
    brush.fillStyle = face.fill;
    brush.fillRect(0, 0, width, wall + end);
    // A groove near the foot and one near the end, as turned or moulded things have.
    brush.fillStyle = mix(face.fill, "#000000", 0.14);
    brush.fillRect(0, wall - 40, width, 4);
    brush.fillRect(0, 16, width, 3);
    brush.strokeStyle = mix(face.fill, "#000000", 0.16);
    brush.lineWidth = 4;
    brush.beginPath();
    brush.arc(end / 2, wall + end / 2, 102, 0, 7);
    brush.stroke();
    brush.fillStyle = face.ink;
    for (const x of [0, width / 4, width / 2, (3 * width) / 4, width]) {
      if (face.shape && face.letter !== "?") {
        sign(brush, face.shape, x, 78, 84);
        write(brush, face.letter, x, 174, 92, 800);
      } else write(brush, face.letter, x, 128, 150, 800);
    }
    if (face.shape && face.letter !== "?") sign(brush, face.shape, end / 2, wall + end / 2, 108);
    else write(brush, face.letter, end / 2, wall + end / 2, 130, 800);
  });
}

/** The size of a card's picture. */
export const CARD = { width: 200, height: 280 } as const;

function edged(brush: Brush, fill: string, edge: string): void {
  brush.beginPath();
  brush.roundRect(2, 2, CARD.width - 4, CARD.height - 4, 20);
  brush.fillStyle = fill;
  brush.fill();
  brush.strokeStyle = edge;
  brush.lineWidth = 4;
  brush.stroke();
}

/** A card with its value and its sign, both also in the corner that still shows when cards overlap. */
export function cardFace(face: Face, text: string): CanvasTexture {
  const { width, height } = CARD;
  return painted(width, height, (brush) => {
    edged(brush, "#fffdf8", "#a89a86");
    brush.fillStyle = face.fill;
    brush.beginPath();
    brush.roundRect(12, height - 92, width - 24, 80, 14);
    brush.fill();
    brush.beginPath();
    brush.roundRect(12, 12, 54, 96, 12);
    brush.fill();
    brush.fillStyle = face.ink;
    write(brush, text, 39, 38, 46, 800);
    sign(brush, face.shape, 39, 82, 36);
    sign(brush, face.shape, width / 2 - 32, height - 52, 50);
    write(brush, face.letter, width / 2 + 34, height - 52, 62, 800);
    brush.fillStyle = "#2b2622";
    write(brush, text, width / 2 + 20, 112, 128, 750);
  });
}

/** A card from behind, with a number on it if there is one. */
export function cardBack(text: string): CanvasTexture {
  const { width, height } = CARD;
  return painted(width, height, (brush) => {
    edged(brush, "#8a6136", "#5d4022");
    brush.save();
    brush.beginPath();
    brush.roundRect(16, 16, width - 32, height - 32, 12);
    brush.strokeStyle = "rgba(246,241,231,0.6)";
    brush.stroke();
    brush.clip();
    brush.strokeStyle = "rgba(246,241,231,0.2)";
    brush.lineWidth = 3;
    for (let at = -height; at < width + height; at += 28) {
      brush.beginPath();
      brush.moveTo(at, 0);
      brush.lineTo(at + height, height);
      brush.moveTo(at, 0);
      brush.lineTo(at - height, height);
      brush.stroke();
    }
    brush.restore();
    if (!text) return;
    brush.fillStyle = dark("#8a6136");
    brush.beginPath();
    brush.arc(width / 2, height / 2, 62, 0, 7);
    brush.fill();
    brush.fillStyle = "#f6f1e7";
    write(brush, text, width / 2, height / 2, 66);
  });
}
