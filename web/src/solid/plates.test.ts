import { expect, test } from "vitest";

import { apart, plateOf, wrapped } from "./plates";

test("numbers share a line while they fit", () => {
  expect(wrapped(["one 1", "two 2", "three 3"], 14, (text) => text.length)).toEqual(["one 1 · two 2", "three 3"]);
  expect(wrapped([], 14, (text) => text.length)).toEqual([]);
});

test("a plate says name, numbers and what else is to be said", () => {
  const player = { seat: 0, name: ["the.seat"] as [string], tint: "red", acts: true, counts: { "the.number": 3 }, note: ["the.note"] as [string] };
  expect(plateOf(player, "Ada", undefined)).toEqual({ title: "Ada", lines: ["the.number 3", "the.note"], tint: null, acts: true });
  expect(plateOf(player, undefined, undefined).title).toBe("the.seat");
});

test("plates do not lie over each other nor beyond the edge", () => {
  const boxes = Array.from({ length: 6 }, (_, i) => ({ x: 20 + 12 * i, y: 400, width: 100, height: 40 }));
  apart(boxes, { width: 360, height: 700 });
  for (const a of boxes) {
    expect(a.x).toBeGreaterThanOrEqual(50);
    expect(a.x).toBeLessThanOrEqual(310);
    for (const b of boxes) if (a !== b) expect(Math.abs(a.x - b.x) >= 99.9 || Math.abs(a.y - b.y) >= 39.9).toBe(true);
  }
});
