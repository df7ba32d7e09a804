import { describe, expect, test } from "vitest";
import { demo } from "../test/demos";
import type { PlayerPanel } from "../wire.gen";
import { nextOf, roundOf, sitsBeyond } from "./round";

const around = (count: number, near: number | null, sides = true, beyond = false) => {
  const { bottom, left, top, right } = roundOf([...Array(count).keys()], near, sides, beyond);
  return [bottom, left, top, right].map((one) => one.join("")).join("|");
};

describe("where the players sit", () => {
  test("oneself before the board, the others clockwise from the left", () => {
    expect([1, 2, 3, 4, 5, 6].map((count) => around(count, 0))).toEqual(["0|||", "0||1|", "0|1||2", "0|1|2|3", "0|12||34", "0|12|3|45"]);
    expect(around(6, 4)).toBe("4|50|1|23");
  });
  test("without room at the sides, all others in that order beyond the board", () => {
    expect([2, 3, 6].map((count) => around(count, 1, false))).toEqual(["1||0|", "1||20|", "1||23450|"]);
  });
  test("who looks on sees the first seat before the board, or beyond it where its pieces begin there", () => {
    expect([around(2, null), around(2, null, true, true), around(6, null, false, true)]).toEqual(["0||1|", "1||0|", "3||45012|"]);
  });
  test("pieces that go down the board begin at the top", () => {
    const goes = (game: string, tint: string) => sitsBeyond(demo(game)[0]!.scene.parts, { seat: 0, name: ["seat.red"], tint });
    expect([goes("chinese-checkers", "red"), goes("chinese-checkers", "green"), goes("double-dutch", "light"), goes("cup-king", "red")]).toEqual([true, false, false, false]);
  });
});

describe("who is next", () => {
  const players = (...more: Partial<PlayerPanel>[]): PlayerPanel[] => more.map((one, seat) => ({ seat, name: ["seat.red"], tint: "red", ...one }));
  test("whoever sits next in the direction, but for those who are passed over", () => {
    const four = players({ acts: true }, {}, {}, {});
    expect([nextOf({ players: four, direction: 1 }), nextOf({ players: four, direction: -1 })]).toEqual([1, 3]);
    expect(nextOf({ players: players({ acts: true }, { note: ["x"] }, {}, {}), direction: 1 })).toBe(2);
    expect(nextOf({ players: players({}, {}, { acts: true }), direction: 1 })).toBe(0);
    expect(nextOf({ players: players({ acts: true }, { note: ["x"] }, { note: ["x"] }), direction: 1 })).toBe(undefined);
  });
  test("whoever is attacked", () => {
    expect(nextOf({ players: players({ acts: true, attacks: 2 }, {}, {}), direction: 1 })).toBe(2);
  });
  test("nobody, while the direction is open, several act, or there are only two", () => {
    expect(nextOf({ players: players({ acts: true, attacks: 1 }, {}, {}), direction: 0 })).toBe(undefined);
    expect(nextOf({ players: players({ acts: true }, { acts: true }, {}), direction: 1 })).toBe(undefined);
    expect(nextOf({ players: players({ acts: true }, {}), direction: 1 })).toBe(undefined);
    expect(nextOf({ players: players({}, {}, {}), direction: 1 })).toBe(undefined);
  });
});
