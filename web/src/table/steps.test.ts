// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { api } from "../lib/api";
import type { Part, PartChange, Scene, SceneAt } from "../wire.gen";
import { Steps } from "./steps.svelte";

const part = (id: string): Part => ({ id, pieces: [{ spot: "a1", kind: "peg" }] });
/** A scene that is told whole, with these parts. */
const whole = (version: number, ...parts: Part[]): SceneAt => ({ version, scene: { title: ["x"], status: [`v${version}`], parts, players: [] } as Scene });
/** One that is told as a change of the one before it. */
const scene = (version: number, ...parts: PartChange[]): SceneAt => ({ version, change: { status: [`v${version}`], players: [], parts } });
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

const fresh = { id: "b", pieces: [] };
const game = [whole(0, part("a"), part("b")), scene(3), scene(4), scene(6, fresh), scene(7)];

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
  serve([whole(1)]);
  const steps = new Steps(() => "t");
  await steps.first(1);
  expect(steps.at).toBe(null);
  await steps.go(-1, 1);
  expect(steps.at).toBe(null);
});

test("each scene is the one before it with its change, and parts that stayed are the very same", async () => {
  serve(game);
  const steps = new Steps(() => "t");
  await steps.first(7);
  const seen = steps.scenes.map((one) => [one.version, one.scene.status[0], one.scene.parts]);
  expect(seen.map(([version, status]) => [version, status])).toEqual([[0, "v0"], [3, "v3"], [4, "v4"], [6, "v6"], [7, "v7"]]);
  const [first, , third, fourth, last] = steps.scenes.map((one) => one.scene.parts);
  expect([first, fourth]).toEqual([[part("a"), part("b")], [part("a"), fresh]]);
  expect([third === first, fourth![0] === first![0], last === fourth]).toEqual([true, true, true]);
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
  const long = Array.from({ length: 900 }, (_, i) => (i % 400 === 0 || i % 400 === 399 || i === 798 ? whole(2 * i) : scene(2 * i)));
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
