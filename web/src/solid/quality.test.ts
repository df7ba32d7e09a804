import { expect, test } from "vitest";

import { LEVELS, paceOf, Quality } from "./quality";

const feed = (quality: Quality, ms: number, count: number) => Array.from({ length: count }, () => quality.note(ms));

test("fast frames change nothing", () => {
  const quality = new Quality(0);
  expect(new Set(feed(quality, 16, 500))).toEqual(new Set(["keep"]));
  expect(quality.now).toEqual({ hasShadows: true, density: 2 });
});

test("one slow frame changes nothing", () => {
  const quality = new Quality(0);
  for (let i = 0; i < 20; i++) feed(quality, i % 5 ? 16 : 300, 1);
  expect(quality.level).toBe(0);
});

test("slow frames lower it step by step, and fast ones never raise it again", () => {
  const quality = new Quality(0);
  expect(feed(quality, 60, 7).at(-1)).toBe("lower");
  expect(quality.level).toBe(1);
  expect(quality.now.hasShadows).toBe(false);
  feed(quality, 5, 500);
  expect(quality.level).toBe(1);
});

test("very slow frames decide sooner, and a view that is opened again begins where the last one ended", () => {
  const quality = new Quality(0);
  expect(feed(quality, 150, 3)).toEqual(["keep", "keep", "lower"]);
  expect(quality.level).toBe(2);
  expect(new Quality().level).toBe(2);
  feed(quality, 400, 3);
  expect(quality.level).toBe(LEVELS.length - 1);
});

test("only with everything off and no motion left it gives up", () => {
  const quality = new Quality(LEVELS.length - 1);
  expect(feed(quality, 300, 40)).not.toContain("hopeless");
  expect(feed(quality, 3000, 12)).toContain("hopeless");
});

test("the pace is the middle and the slow end", () => {
  expect(paceOf([])).toBeNull();
  expect(paceOf([30, 10, 20])).toEqual({ median: 20, p95: 30 });
  expect(paceOf(Array.from({ length: 100 }, (_, i) => i))).toEqual({ median: 50, p95: 95 });
});
