import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync("src/app.css", "utf8");

/** The colours of a name in both themes. */
function colours(name: string): string[] {
  const [, light = "", dark = ""] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
  return [light, dark];
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe("marks on a board", () => {
  const MARKS = ["picked", "past", "accent-board", "hint"];

  test("no two kinds share a colour", () => {
    for (const theme of [0, 1]) expect(new Set(MARKS.map((name) => colours(name)[theme])).size).toBe(MARKS.length);
  });
  test.each(MARKS)("%s is seen on the wood of both themes", (name) => {
    colours(name).forEach((colour, theme) => {
      for (const wood of ["wood", "wood-light"]) expect(contrast(colour, colours(wood)[theme]!)).toBeGreaterThanOrEqual(3);
    });
  });
});
