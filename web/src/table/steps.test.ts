// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { api } from "../lib/api";
import type { Board, SceneAt } from "../wire.gen";
import { Steps } from "./steps.svelte";

const board = (name: string) => ({ title: [name], cells: [], outlines: [], labels: [], tints: [] }) as unknown as Board;
const scene = (version: number, of?: Board): SceneAt => ({ version, scene: { status: [`v${version}`], pieces: [], players: [] }, ...(of ? { board: of } : {}) });
const asked: number[] = [];

/** Answers as the server does: the scenes from `since` on, at most so many. */
function serve(all: SceneAt[], most = 400) {
  vi.spyOn(api, "scenes").mockImplementation((_, since) => {
    asked.push(since);
    const from = all.findLastIndex((one) => one.version <= since);
    return Promise.resolve(all.slice(Math.max(0, from)).slice(0, most));
  });
}
beforeEach(() => {
  asked.length = 0;
  vi.restoreAllMocks();
});

const game = [scene(0, board("a")), scene(3), scene(4), scene(6, board("b")), scene(7)];

test("one step back from now is the scene before the last, and forward again is now", async () => {
  serve(game);
  const steps = new Steps(() => "t");
  expect([steps.at, steps.isBack, steps.shown]).toEqual([null, false, null]);
  await steps.go(-1, 7);
  expect([steps.at, steps.isBack, steps.shown?.version]).toEqual([3, true, 6]);
  await steps.go(-1, 7);
  expect(steps.shown?.version).toBe(4);
  await steps.go(1, 7);
  expect(steps.shown?.version).toBe(6);
  await steps.go(1, 7);
  expect([steps.at, steps.isBack, steps.shown]).toEqual([null, false, null]);
  await steps.go(1, 7);
  expect(steps.at).toBe(null);
});

test("before the first there is nothing, and the first is the start", async () => {
  serve(game);
  const steps = new Steps(() => "t");
  await steps.first(7);
  expect(steps.at).toBe(0);
  await steps.go(-1, 7);
  expect(steps.at).toBe(0);
  await steps.go(-9, 7);
  expect(steps.at).toBe(0);
  steps.now();
  expect([steps.at, steps.shown]).toEqual([null, null]);
});

test("an event leads to the scene right after it; the last one to now", async () => {
  serve(game);
  const steps = new Steps(() => "t");
  const after: (number | undefined)[] = [];
  for (const n of [0, 2, 3, 4, 5, 6, 7]) {
    await steps.show(n, 7);
    after.push(steps.shown?.version);
  }
  expect(after).toEqual([3, 3, 4, 6, 6, undefined, undefined]);
});

test("a game that has only begun has no past", async () => {
  serve([scene(1, board("a"))]);
  const steps = new Steps(() => "t");
  await steps.first(1);
  expect(steps.at).toBe(null);
  await steps.go(-1, 1);
  expect(steps.at).toBe(null);
});

test("a board that stayed the same is filled in", async () => {
  serve(game);
  const steps = new Steps(() => "t");
  await steps.first(7);
  expect(steps.scenes.map((one) => [one.version, one.board.title[0]])).toEqual([[0, "a"], [3, "a"], [4, "a"], [6, "b"], [7, "b"]]);
});

test("the past is fetched once for a version, and anew when the game has gone on or was taken back", async () => {
  serve(game);
  const steps = new Steps(() => "t");
  await steps.first(7);
  await steps.go(1, 7);
  expect(asked).toEqual([0]);
  await steps.go(1, 8);
  expect(asked).toEqual([0, 0]);
  steps.forget();
  expect([steps.scenes, steps.at]).toEqual([[], null]);
  await steps.go(-1, 8);
  expect(asked).toEqual([0, 0, 0]);
});

test("a long game comes in several answers of four hundred, and no scene twice", async () => {
  const long = Array.from({ length: 900 }, (_, i) => scene(2 * i, i === 0 ? board("a") : undefined));
  serve(long);
  const steps = new Steps(() => "t");
  await steps.first(1798);
  expect(steps.scenes.map((one) => one.version)).toEqual(long.map((one) => one.version));
  expect(asked).toEqual([0, 799, 1597]);
  serve(long.slice(0, 399));
  asked.length = 0;
  await steps.first(796);
  expect([asked, steps.scenes.length]).toEqual([[0], 399]);
});

test("without a connection one stays where one is, and tries again", async () => {
  const steps = new Steps(() => "t");
  vi.spyOn(api, "scenes").mockRejectedValue(new Error("offline"));
  for (const step of [() => steps.go(-1, 7), () => steps.first(7), () => steps.show(0, 7)]) {
    await step();
    expect([steps.at, steps.scenes]).toEqual([null, []]);
  }
  serve(game);
  await steps.go(-1, 7);
  expect(steps.shown?.version).toBe(6);
});
