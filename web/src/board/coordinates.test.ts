import { expect, test } from "vitest";
import { demo } from "../test/demos";
import { cellsOf } from "./scene";
import { coordinates, mentioned } from "./coordinates";

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

test("a sentence names the places that it speaks of, as whole words", () => {
  const { parts } = demo("chinese-checkers")[0]!.scene;
  const all = coordinates(cellsOf(parts), parts);
  const found = (words: string) => mentioned(all, words).map(({ text }) => text);
  expect(found("Take your piece on d2 and make three jumps, to h5.")).toEqual(["d2", "h5"]);
  expect(found("Zieh von e12 weg (nicht von e1x): a!")).toEqual(["e12"]);
  expect(found("")).toEqual([]);
});
