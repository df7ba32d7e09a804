import { expect, test } from "vitest";
import type { Choice } from "../wire.gen";
import { enter } from "./entering";

const choice = (...spots: string[]): Choice => ({ text: spots.join("-"), spots });
const never = () => false;
const isCard = (spot: string) => /^A:[A-Z]\d/.test(spot);

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
  expect(enter(plays, ["A:B1"], isCard).open).toEqual([]);
  expect(enter(plays, ["A:R7", "A:R7'"], isCard).open).toEqual([]);
  expect(enter(plays, ["A:R3", "A:R3"], isCard).open).toEqual([]);
});

test("the button may only be pressed when all cards of a move are chosen, and only once", () => {
  expect(enter(plays, [], isCard).next.has("confirm")).toBe(false);
  expect(enter(plays, ["A:R3"], isCard).next.has("confirm")).toBe(false);
  const two = enter(plays, ["A:R3", "A:R7"], isCard);
  expect([two.next, two.last, two.open.length]).toEqual([new Set(["confirm"]), new Set(["confirm"]), 1]);
  expect(enter(plays, ["A:R7"], isCard).last).toEqual(new Set(["confirm"]));
  expect(enter(plays, ["confirm"], isCard).open).toEqual([]);
  expect(enter(plays, ["A:R7", "confirm", "A:R3"], isCard).done?.text).toBe("A:R7-A:R3-confirm");
  expect(enter(plays, ["A:R7", "confirm", "confirm"], isCard).open).toEqual([]);
  expect(enter(plays, ["A:R7", "other"], isCard).open).toEqual([]);
});

test("with cards in the hand, a card that is chosen already is not offered again", () => {
  expect(enter(plays, ["A:R7"], isCard).next).toEqual(new Set(["A:R3", "A:R3'", "confirm"]));
  const twins = [choice("A:R7", "A:R7", "confirm")];
  expect(enter(twins, ["A:R7"], isCard).next).toEqual(new Set(["A:R7'"]));
  expect(enter(twins, ["A:R7'"], isCard).next).toEqual(new Set(["A:R7"]));
  expect(enter(twins, ["A:R7", "A:R7'", "confirm"], isCard).done?.text).toBe("A:R7-A:R7-confirm");
});
