import { expect, test } from "vitest";
import type { GameInfo, LevelInfo, Outcome, Scene, TableInfo } from "../wire.gen";
import { fate, headline, reason } from "./endings";
import { nextLevel, nextTable } from "./stronger";

const names = ["Ida", "Hazel", "Bo"];
const name = (seat: number) => names[seat]!;
const ended = (winners: number[], seats = 2, sentence: Outcome["sentence"] = ["end.agreed", []]): Outcome => ({ winners, seats, reason: "x", sentence });

test.each<[string, number[], number, number[], string]>([
  ["to the winner", [0], 2, [0], "You win!"],
  ["to the loser", [1], 2, [0], "Hazel wins"],
  ["to somebody who watches", [1], 2, [], "Hazel wins"],
  ["to two at one screen", [1], 2, [0, 1], "Hazel wins"],
  ["to one who plays two of three seats", [2], 3, [0, 1], "Bo wins"],
  ["when all win alike", [0, 1], 2, [0], "A draw"],
  ["when all win alike, to somebody who watches", [0, 1], 2, [], "A draw"],
  ["to one of several winners", [0, 2], 3, [0], "You share the win"],
  ["to whoever lost to several", [0, 2], 3, [1], "Ida and Bo share the win"],
  ["alone, with a game won", [0], 1, [0], "You win!"],
  ["alone, with a game lost", [], 1, [0], "Nobody wins"],
])("the headline %s", (_, winners, seats, yours, said) => {
  expect(headline(ended(winners, seats), yours, name)).toBe(said);
});

test("whoever watches, or plays all the seats, has neither won nor lost", () => {
  expect(fate(ended([0]), [])).toBe(null);
  expect(fate(ended([0]), [0, 1])).toBe(null);
  expect(fate(ended([0]), [0])).toBe("won");
  expect(fate(ended([0]), [1])).toBe("lost");
  expect(fate(ended([], 3), [1])).toBe("lost");
  expect(["stopped", "closed", "decided"].map((reason) => fate({ ...ended([]), reason }, [1]))).toEqual([null, null, "lost"]);
  expect(fate(ended([0, 2], 3), [0])).toBe("shared");
  expect(fate(ended([0, 2], 3), [0, 2])).toBe("won");
});

test("the reason names people, not seats", () => {
  const scene = { players: [{ seat: 0, name: ["seat.red", []] }, { seat: 1, name: ["seat.yellow", []] }] } as unknown as Scene;
  expect(reason(ended([0], 2, ["jumping-cups.end.filled", { who: ["seat.red", []] }]), scene, name)).toBe("Ida has a cup on all five finish squares.");
  const both: Outcome["sentence"] = ["chinese-checkers.end.joint-finish", { who: ["join.and", [["seat.red", []], ["seat.yellow", []]]] }];
  expect(reason(ended([0, 1], 2, both), scene, name)).toBe("Ida and Hazel have finished in the same round and share the win.");
  expect(reason(ended([0], 2, ["end.resigned", { who: ["seat.blue", []] }]), scene, name)).toBe("Blue resigned.");
});

const level = (title: string, seats = [2, 3]): LevelInfo => ({ level: title, title: [title, []], words: [title, []], seats });
const game = { levels: [level("one"), level("two", [2]), level("three")] } as unknown as GameInfo;
const table = (...seats: string[]): TableInfo =>
  ({
    game: "g",
    options: { starter: "red", size: 7 },
    chosen: ["starter"],
    seats: seats.map((kind, seat) => (kind === "me" ? { seat, kind: "person" } : { seat, kind: "bot", level: kind })),
  }) as unknown as TableInfo;

test("the next opponent is one level up, or one down after a defeat", () => {
  expect(nextLevel(game, table("me", "one"), false)?.level).toBe("two");
  expect(nextLevel(game, table("me", "two"), true)?.level).toBe("one");
  expect(nextLevel(game, table("me", "one", "one"), false)?.level).toBe("three");
  expect(nextLevel(game, table("me", "three"), false)).toBe(undefined);
  expect(nextLevel(game, table("me", "one"), true)).toBe(undefined);
  expect(nextLevel(game, table("me", "one"), false, "three")?.level).toBe("three");
  expect(nextLevel(game, table("me", "two"), false, "one")?.level).toBe("three");
  expect(nextLevel(game, table("me", "three"), true, "one")?.level).toBe("one");
  expect(nextLevel(game, table("me", "two"), true, "three")?.level).toBe("one");
  expect(nextLevel(game, table("me", "gone"), false)).toBe(undefined);
  expect(nextLevel(game, table("me", "me"), false)).toBe(undefined);
});

test("the next table is the same but for the level of its bots", () => {
  expect(nextTable(table("one", "me", "two"), level("three"))).toEqual({
    game: "g",
    seats: [{ kind: "bot", level: "three" }, { kind: "me" }, { kind: "bot", level: "three" }],
    options: { starter: "red" },
    clock: null,
  });
});
