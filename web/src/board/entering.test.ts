import { expect, test } from "vitest";
import type { Cell, Choice } from "../wire.gen";
import { enter, manner } from "./entering";

const choice = (...spots: string[]): Choice => ({ text: spots.join("-"), spots });
const never = manner([]);
const cell = (spot: string, like = ""): Cell => ({ spot, x: 0, y: 0, name: ["seat.red"], like });
const cards = manner([
  { id: "A:hand", cells: [cell("A:R3"), cell("A:R3'", "A:R3"), cell("A:R7"), cell("A:R7'", "A:R7"), cell("A:B1")], taking: "any-order" },
]);

test("a path of three spots is entered spot by spot, and only its end completes it", () => {
  const moves = [choice("a", "b", "c"), choice("a", "b", "d"), choice("a", "e")];
  const [none, one, two, three] = [[], ["a"], ["a", "b"], ["a", "b", "d"]].map((picked) => enter(moves, picked, never));
  expect([none?.next, one?.next, two?.next, three?.next]).toEqual([new Set("a"), new Set("be"), new Set("cd"), new Set()]);
  expect([none?.last, one?.last, two?.last, three?.last]).toEqual([new Set(), new Set("e"), new Set("cd"), new Set()]);
  expect([none?.done, one?.done, two?.done, three?.done?.text]).toEqual([undefined, undefined, undefined, "a-b-d"]);
  expect([none?.open.length, one?.open.length, two?.open.length, three?.open.length]).toEqual([3, 3, 2, 1]);
});

test("more spots than a move has, or others, are no move", () => {
  const moves = [choice("a", "b")];
  for (const picked of [["a", "b", "c"], ["b"], ["b", "a"], ["a", "a"]]) {
    expect(enter(moves, picked, never)).toEqual({ next: new Set(), last: new Set(), open: [], done: undefined });
  }
});

test("of two moves with the same spots the first is made", () => {
  const [first, second] = [{ text: "one", spots: ["a"] }, { text: "two", spots: ["a"] }];
  expect(enter([first, second], ["a"], never).done).toBe(first);
});

const plays = [choice("A:R7", "A:R3", "confirm"), choice("A:R7", "confirm")];

test("a card more than a move has closes it, the same card twice too", () => {
  expect(enter(plays, ["A:B1"], cards).open).toEqual([]);
  expect(enter(plays, ["A:R7", "A:R7'"], cards).open).toEqual([]);
  expect(enter(plays, ["A:R3", "A:R3"], cards).open).toEqual([]);
});

test("the button may only be pressed when all cards of a move are chosen, and only once", () => {
  expect(enter(plays, [], cards).next.has("confirm")).toBe(false);
  expect(enter(plays, ["A:R3"], cards).next.has("confirm")).toBe(false);
  const two = enter(plays, ["A:R3", "A:R7"], cards);
  expect([two.next, two.last, two.open.length]).toEqual([new Set(["confirm"]), new Set(["confirm"]), 1]);
  expect(enter(plays, ["A:R7"], cards).last).toEqual(new Set(["confirm"]));
  expect(enter(plays, ["confirm"], cards).open).toEqual([]);
  expect(enter(plays, ["A:R7", "confirm", "A:R3"], cards).done?.text).toBe("A:R7-A:R3-confirm");
  expect(enter(plays, ["A:R7", "confirm", "confirm"], cards).open).toEqual([]);
  expect(enter(plays, ["A:R7", "other"], cards).open).toEqual([]);
});

test("with cards in the hand, a card that is chosen already is not offered again", () => {
  expect(enter(plays, ["A:R7"], cards).next).toEqual(new Set(["A:R3", "A:R3'", "confirm"]));
  const twins = [choice("A:R7", "A:R7", "confirm")];
  expect(enter(twins, ["A:R7"], cards).next).toEqual(new Set(["A:R7'"]));
  expect(enter(twins, ["A:R7'"], cards).next).toEqual(new Set(["A:R7"]));
  expect(enter(twins, ["A:R7", "A:R7'", "confirm"], cards).done?.text).toBe("A:R7-A:R7-confirm");
});

test("how spots are taken, and which are equal, is said by the parts of the scene", () => {
  const how = manner([
    { id: "board", cells: [cell("x")] },
    { id: "A:hand", cells: [cell("one"), cell("two", "one"), cell("three", "one"), cell("other")], taking: "any-order" },
  ]);
  expect(["x", "one", "two", "confirm"].map(how.isLoose)).toEqual([false, true, true, false]);
  expect(["x", "one", "two", "three", "other", "confirm"].map(how.alike)).toEqual([
    ["x"], ["one", "two", "three"], ["one", "two", "three"], ["one", "two", "three"], ["other"], ["confirm"],
  ]);
});
