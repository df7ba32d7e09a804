// Colours and shapes that every piece shares. The picture is the one of src/cupboard/core/svg_pieces.py.

/** Pixels per unit of a scene. */
export const UNIT = 56;

export const CARD_WIDTH = 0.74 * UNIT;
export const CARD_HEIGHT = 1.04 * UNIT;

/** Each sign as a path in a box from -1 to 1: a picture must not depend on the fonts of a machine. */
export const SIGNS: Record<string, string> = {
  "●": "M-0.8 0 A0.8 0.8 0 1 1 0.8 0 A0.8 0.8 0 1 1 -0.8 0 z",
  "▲": "M0 -0.95 L0.95 0.75 L-0.95 0.75 z",
  "■": "M-0.75 -0.75 H0.75 V0.75 H-0.75 z",
  "◆": "M0 -1 L0.85 0 L0 1 L-0.85 0 z",
  "★":
    "M0 -1 L0.26 -0.33 L0.97 -0.31 L0.41 0.12 L0.61 0.81 L0 0.42 L-0.61 0.81 L-0.41 0.12 L-0.97 -0.31 L-0.26 -0.33 z",
  "✚": "M-0.32 -0.95 H0.32 V-0.32 H0.95 V0.32 H0.32 V0.95 H-0.32 V0.32 H-0.95 V-0.32 H-0.32 z",
};

/** A colour with a share of another stirred in. */
export function mix(colour: string, other: string, share: number): string {
  const part = (text: string, at: number) => parseInt(text.slice(at, at + 2), 16);
  const stirred = [1, 3, 5].map((at) => {
    const [a, b] = [part(colour, at), part(other, at)];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${stirred.join("")}`;
}

export const light = (fill: string) => mix(fill, "#ffffff", 0.5);
export const dark = (fill: string) => mix(fill, "#000000", 0.35);

/** A truncated cone upside down: the rim below at `base`, the closed end above. */
export function cone(base: number, rim: number, end: number, tall: number): string {
  const top = base - tall;
  return `M${-rim} ${base} L${-end} ${top} A${end} 5 0 0 1 ${end} ${top} L${rim} ${base} A${rim} 8 0 0 1 ${-rim} ${base} z`;
}
