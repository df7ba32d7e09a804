import { expect, test } from "vitest";

import type { Aiming, Scale } from "../wire.gen";
import { aimOf, DEAD, share, touchOf } from "./aim";

const SOLID = { across: 46, height: 42, foot: 22, top: 16 };
const scale = (least: number, most: number, usual = 0): Scale => ({ least, most, usual, words: ["x"] });
const AIMING: Aiming = {
  spots: ["a"],
  names: ["a"],
  pattern: "",
  strength: scale(5, 100, 50),
  height: scale(10, 90, 50),
  aside: scale(-80, 80),
  turn: scale(-45, 45),
  from_front: "front",
  from_behind: "behind",
  how: ["x"],
};
const middle = { aside: 0, height: 21 };
const aim = (pull: { right: number; back: number; pixels: number }, press = middle, behind = false) => aimOf("a", press, pull, behind, AIMING, SOLID, 200);

test("a straight pull to oneself pushes straight away, the harder the longer", () => {
  expect(aim({ right: 0, back: -50, pixels: 200 })).toEqual({ spot: "a", strength: 100, height: 50, aside: 0, turn: 0, behind: false });
  expect(aim({ right: 0, back: -50, pixels: DEAD })?.strength).toBe(5);
  expect(aim({ right: 0, back: -50, pixels: 999 })?.strength).toBe(100);
});

test("a pull to the left pushes to the right, no further than the scale goes", () => {
  expect(aim({ right: -50, back: -50 * Math.sqrt(3), pixels: 100 })?.turn).toBe(30);
  expect(aim({ right: 50, back: -1, pixels: 100 })?.turn).toBe(-45);
});

test("from behind, right is still the owner's right", () => {
  const found = aim({ right: -50, back: 50 * Math.sqrt(3), pixels: 100 }, middle, true);
  expect(found).toMatchObject({ turn: 30, behind: true });
  const { ahead } = touchOf(found!, SOLID);
  // The push goes against the pull.
  expect(ahead).toEqual([expect.closeTo(0.5), expect.closeTo(-Math.sqrt(3) / 2)]);
});

test("where it was pressed is where it is touched", () => {
  expect(aim({ right: 0, back: -50, pixels: 100 }, { aside: -9.5, height: 10.5 })).toMatchObject({ aside: -50, height: 25 });
  expect(aim({ right: 0, back: -50, pixels: 100 }, { aside: 40, height: 60 })).toMatchObject({ aside: 80, height: 90 });
});

test("too little and the wrong way are no push", () => {
  expect(aim({ right: 0, back: -50, pixels: DEAD - 1 })).toBeNull();
  expect(aim({ right: 10, back: 30, pixels: 100 })).toBeNull();
  expect(aim({ right: 10, back: -30, pixels: 100 }, middle, true)).toBeNull();
});

test("the finger touches the wall on the side it comes from", () => {
  const front = touchOf({ spot: "a", strength: 50, height: 50, aside: 0, turn: 0, behind: false }, SOLID);
  expect(front.touch).toEqual([expect.closeTo(0), expect.closeTo(-19), expect.closeTo(21)]);
  const behind = touchOf({ spot: "a", strength: 50, height: 50, aside: 50, turn: 0, behind: true }, SOLID);
  expect(behind.touch).toEqual([expect.closeTo(9.5), expect.closeTo(Math.sqrt(19 ** 2 - 9.5 ** 2)), expect.closeTo(21)]);
});

test("how hard it is goes from nothing to one", () => {
  expect(share({ spot: "a", strength: 5, height: 0, aside: 0, turn: 0, behind: false }, AIMING.strength)).toBe(0);
  expect(share({ spot: "a", strength: 100, height: 0, aside: 0, turn: 0, behind: false }, AIMING.strength)).toBe(1);
});
