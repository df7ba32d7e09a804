import { expect, test } from "vitest";
import { demo } from "../test/demos";
import { cellsOf } from "./scene";
import { coordinates } from "./coordinates";

const named = (game: string) => {
  const { parts } = demo(game)[0]!.scene;
  return coordinates(cellsOf(parts), parts).map(({ spot, text }) => [spot, text]);
};

test("every hollow of a board shows its name in notation", () => {
  const stones = named("double-dutch");
  expect(stones.length).toBe(49);
  expect(stones[0]).toEqual(["a1", "a1"]);
  const star = named("chinese-checkers");
  expect([star.length, star.every(([spot, text]) => spot === text)]).toEqual([121, true]);
});

test("a place before a seat shows its name without the seat's letter; cards and stocks have none", () => {
  const found = named("cup-king");
  expect(found).toContainEqual(["B:c2", "c2"]);
  expect(found.every(([, text]) => /^[a-e][1-5]$/.test(text!))).toBe(true);
});

test("what is printed beside a square is not said twice", () => {
  expect(named("jumping-cups")).toEqual([]);
});
