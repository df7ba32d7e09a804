// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Table } from "./table.svelte";

let [isCalm, works] = [false, true];
const solid = { across: 50, height: 40, foot: 22, top: 16 };

/** A table as a page of this width would show it, on a device that remembers what `localStorage` says. */
async function shown(wide: number, hand = false, scene: object = { solid }) {
  vi.resetModules();
  const { Space } = await import("./space.svelte");
  return new Space({ scene } as unknown as Table, hand, () => wide);
}
beforeEach(() => {
  [isCalm, works] = [false, true];
  localStorage.clear();
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: isCalm && query.includes("reduced-motion") }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(() => (works ? ({ getExtension: () => null } as never) : null));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("wide screens begin in space, narrow ones and those who want calm flat", async () => {
  expect([(await shown(900)).isShown, (await shown(899)).isShown]).toEqual([true, false]);
  isCalm = true;
  const space = await shown(1200);
  expect([space.isOffered, space.isShown]).toEqual([true, false]);
});

test("what somebody chose is remembered on every width", async () => {
  (await shown(1200)).turn();
  expect([(await shown(1200)).isShown, localStorage.getItem("cupboard.space")]).toEqual([false, "off"]);
  (await shown(400)).turn();
  expect((await shown(400)).isShown).toBe(true);
});

test("it is offered only where it can be drawn and there is something to draw", async () => {
  expect([(await shown(1200, true)).isOffered, (await shown(1200, false, {})).isOffered]).toEqual([false, false]);
  works = false;
  expect((await shown(1200)).isOffered).toBe(false);
});

test("after a failure the board is flat until somebody tries again", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const space = await shown(1200);
  space.fail("lost");
  expect([space.isShown, space.isOffered]).toEqual([false, true]);
  space.turn();
  expect([space.isShown, space.hasFailed]).toEqual([true, false]);
});
