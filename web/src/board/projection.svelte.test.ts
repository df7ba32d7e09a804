// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Motion, Shot } from "../solid/contract";
import type { Part, Scene, Words } from "../wire.gen";
import { askew, project, Projection } from "./projection.svelte";

const solid = { across: 50, height: 40, foot: 22, top: 16 };
const name: Words = ["seat.red"];
const place: Part = {
  id: "B:place",
  owner: 1,
  role: "place",
  cells: [
    { spot: "a1", x: 10, y: 5, name },
    { spot: "a2", x: 11, y: 5, name },
    { spot: "b1", x: 10.5, y: 4, name },
  ],
};
const scene = { title: name, status: name, players: [], parts: [{ id: "A:place", owner: 0, role: "place" }, place], solid } as Scene;
/** A quarter turn to the right about the axis that points backwards. */
const QUARTER = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
/** The upper piece stands in its place, then lies a place further right on the ground; the second is taken away. */
const motion: Motion = {
  frames: 2,
  rate: 1,
  cut: 2,
  places: [2, 1],
  gone: [2, 0],
  finger: new Float32Array(6).fill(NaN),
  poses: new Float32Array([25, 0, 40, 0, 0, 0, 1, 75, 9, 0, ...QUARTER, 50, 0, 0, 0, 0, 0, 1, 50, 0, 0, 0, 0, 0, 1]),
};
const shot: Shot = { seat: 1, motion, before: scene, speed: 1, from: "owner" };

test("a piece in its place is drawn there, and one that has fallen where it lies, turned about its foot", () => {
  expect(project(shot, 0).get("b1")).toEqual({ dx: 0, dy: 0, turn: 0, opacity: 1 });
  const lies = project(shot, 1).get("b1")!;
  expect([lies.dx, lies.dy, Math.round(lies.turn)]).toEqual([1, 1, 90]);
});

test("a piece that hands take away fades from its frame on", () => {
  expect([0, 1].map((frame) => project(shot, frame).get("a2")!.opacity)).toEqual([1, 0]);
});

test("without the measures or the places of the pieces nothing moves", () => {
  expect(project({ ...shot, before: { ...scene, solid: null } }, 0).size).toBe(0);
  expect(project({ ...shot, seat: 0 }, 0).size).toBe(0);
});

test("a piece that stands askew is moved and tilted by as much", () => {
  const piece = { spot: "a1", kind: "peg" as const };
  expect(askew({ ...piece, pose: [250, 700, 400, 0, -300, 0] }, solid)).toEqual({ dx: 0.05, dy: -0.1, turn: -3, opacity: 1 });
  expect([askew(piece, solid), askew({ ...piece, pose: [250] }, null)]).toEqual([undefined, undefined]);
});

let frames: ((now: number) => void)[];
const draw = (now: number) => frames.splice(0).forEach((one) => one(now));
beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (one: (now: number) => void) => frames.push(one));
  vi.stubGlobal("cancelAnimationFrame", () => (frames = []));
});
afterEach(() => vi.unstubAllGlobals());

test("it is played in the time it took, or slower, and shows the end until it is stopped", async () => {
  const projection = new Projection();
  let over = false;
  void projection.play({ ...shot, speed: 0.5 }).then(() => (over = true));
  draw(5000);
  draw(6900);
  expect(projection.moved.get("b1")!.dx).toBe(0);
  draw(7100);
  expect(projection.moved.get("b1")!.dx).toBe(1);
  await Promise.resolve();
  expect(over).toBe(false);
  draw(9000);
  await Promise.resolve();
  expect([over, frames.length, projection.moved.get("b1")!.dx]).toEqual([true, 0, 1]);
  projection.stop();
  expect(projection.moved.size).toBe(0);
});

test("stopping it ends it at once", async () => {
  const projection = new Projection();
  const played = projection.play(shot);
  draw(0);
  projection.stop();
  await played;
  expect([projection.moved.size, frames.length]).toEqual([0, 0]);
});
