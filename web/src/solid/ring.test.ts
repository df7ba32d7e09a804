import { expect, test } from "vitest";

import type { Cell, Part } from "../wire.gen";
import { extent, fan, footOf, halfRow, onTable, poseOf, ringOf } from "./ring";

const SOLID = { across: 46, height: 42, foot: 22, top: 16 };
const cell = (x: number, y: number): Cell => ({ spot: `${x} ${y}`, x, y, name: ["x"] });
const part: Part = { id: "p", cells: [cell(10, 7), cell(11, 7), cell(12, 7), cell(10.5, 6), cell(11.5, 6), cell(11, 5)] };

test("the own seat is nearest, and the next sits to its left: clockwise as seen from above", () => {
  const { places, radius } = ringOf([0, 1, 2, 3], 2, 200);
  const [own, next, opposite, last] = [2, 3, 0, 1].map((seat) => places.get(seat)!);
  expect([own!.x, own!.y]).toEqual([expect.closeTo(0), expect.closeTo(-radius)]);
  expect([next!.x, next!.y]).toEqual([expect.closeTo(-radius), expect.closeTo(0)]);
  expect([opposite!.x, opposite!.y]).toEqual([expect.closeTo(0), expect.closeTo(radius)]);
  expect([last!.x, last!.y]).toEqual([expect.closeTo(radius), expect.closeTo(0)]);
});

test("nobody's table begins with the first seat", () => {
  expect(ringOf([0, 1, 2], null, 200).places.get(0)!.angle).toBeCloseTo(-Math.PI / 2);
});

test.each([2, 3, 4, 5, 6])("%i sets of pieces face outwards and keep clear of each other", (count) => {
  const wide = 228;
  const places = [...ringOf(Array.from({ length: count }, (_, i) => i), 0, wide).places.values()];
  for (const place of places) {
    const [x, y] = onTable(place, 0, -10);
    expect(Math.hypot(x, y)).toBeCloseTo(Math.hypot(place.x, place.y) + 10);
  }
  const ends = places.flatMap((place) => [-wide / 2, wide / 2].map((x) => ({ place, at: onTable(place, x, 0) })));
  for (const a of ends)
    for (const b of ends) if (a.place !== b.place) expect(Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1])).toBeGreaterThan(2 * SOLID.foot);
});

test("a point that the owner sees to the right is to the right of whoever faces the middle", () => {
  const { places, radius } = ringOf([0, 1, 2, 3], 0, 200);
  expect(onTable(places.get(1)!, 12, 30)).toEqual([expect.closeTo(-radius + 30), expect.closeTo(-12)]);
});

test("cells stand in rows from the lowest", () => {
  expect(extent(part.cells!)).toEqual({ left: 10, low: 7, columns: 3, rows: 3 });
  expect(footOf(part.cells![0]!, part, SOLID)).toEqual([0, 0, 0]);
  expect(footOf(part.cells![4]!, part, SOLID)).toEqual([69, 0, 42]);
  expect(footOf(part.cells![5]!, part, SOLID)).toEqual([46, 0, 84]);
  expect(halfRow(part, SOLID)).toBe(46);
});

test("a pose is in hundredths", () => {
  expect(poseOf({ pose: [150, -20, 0, 0, 0, 9000] })).toEqual({ move: [1.5, -0.2, 0], spin: [0, 0, expect.closeTo(Math.PI / 2)] });
  expect(poseOf({})).toEqual({ move: [0, 0, 0], spin: [0, 0, 0] });
});

test("many cards lie closer together", () => {
  expect(fan(3, 40, 200)).toEqual([-40, 0, 40]);
  expect(fan(11, 40, 200)[0]).toBeCloseTo(-100);
  expect(fan(1, 40, 200)).toEqual([0]);
});
