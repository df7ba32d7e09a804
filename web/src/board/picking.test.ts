// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import type { Choice } from "../wire.gen";
import { Picking } from "./picking.svelte";

const choice = (...path: string[]): Choice => ({ text: path.join("-"), spots: [path[0]!, path.at(-1)!], via: path.slice(1, -1) });
/** A chain of jumps a-b-c-d with a branch b-e, a step from a to f, and another piece. */
const moves = [choice("a", "b"), choice("a", "b", "c"), choice("a", "b", "c", "d"), choice("a", "b", "e"), choice("a", "f"), choice("x", "y")];

let made: string[];
let asked: string[][];
let picking: Picking;

beforeEach(() => {
  [made, asked] = [[], []];
  picking = new Picking({
    moves: () => moves,
    parts: () => [],
    done: ({ text }) => made.push(text),
    taken: () => {},
    inquire: (spots) => asked.push(spots),
  });
});
const next = () => [...picking.entry.next].sort().join("");
const pick = (...spots: string[]) => spots.forEach((spot) => picking.pick(spot));

describe("a piece that could go on", () => {
  test("waits where it lands, and may go on or stop", () => {
    pick("a");
    expect([next(), picking.rest]).toEqual(["bcdef", undefined]);
    pick("b");
    expect([next(), picking.rest, picking.picked, made]).toEqual(["bcde", "b", ["a"], []]);
    pick("c");
    expect([next(), picking.rest, made]).toEqual(["cd", "c", []]);
    pick("d");
    expect(made).toEqual(["a-b-c-d"]);
  });
  test("stops there when it is pointed at again, or told to", () => {
    pick("a", "b", "b");
    expect(made).toEqual(["a-b"]);
    picking.picked = [];
    pick("a", "b", "c");
    picking.stop();
    expect(made).toEqual(["a-b", "a-b-c"]);
    picking.stop();
    expect(made.length).toBe(2);
  });
  test("goes all the way at once when its end is pointed at", () => {
    pick("a", "d");
    expect(made).toEqual(["a-b-c-d"]);
    picking.picked = [];
    pick("a", "f");
    expect(made).toEqual(["a-b-c-d", "a-f"]);
  });
  test("comes back to the hand when it is let go of, and is put down after that", () => {
    pick("a", "b");
    picking.drop();
    expect([picking.rest, picking.picked]).toEqual([undefined, ["a"]]);
    pick("b", "a");
    expect([picking.rest, picking.picked]).toEqual([undefined, ["a"]]);
    picking.drop();
    expect(picking.picked).toEqual([]);
  });
  test("may go elsewhere after all, and another piece may be taken", () => {
    pick("a", "b", "f");
    expect(made).toEqual(["a-f"]);
    picking.picked = [];
    pick("a", "b", "x");
    expect([picking.rest, picking.picked, next()]).toEqual([undefined, ["x"], "y"]);
  });
  test("what is no way for it is asked about, and it is put down", () => {
    pick("a", "b", "z");
    expect([asked, picking.picked, picking.rest]).toEqual([[["a", "z"]], [], undefined]);
  });
});

test("the way to a place is known where there is only one", () => {
  expect([picking.way("x"), picking.way("a")]).toEqual([["x", "y"], []]);
  pick("a");
  expect([picking.way("d"), picking.way("b"), picking.way("y")]).toEqual([["a", "b", "c", "d"], ["a", "b"], []]);
  pick("b");
  expect([picking.way("b"), picking.way("e"), picking.way("f")]).toEqual([["a", "b"], ["a", "b", "e"], []]);
});
