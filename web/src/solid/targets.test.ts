import { expect, test } from "vitest";

import { meant, REACH } from "./targets";

const targets = [
  { spot: "near", x: 100, y: 100 },
  { spot: "far", x: 130, y: 100 },
  { spot: "never", x: 100, y: 110 },
];
const allowed = new Set(["near", "far"]);

test("what is under the pointer and allowed is meant, even if another middle is nearer", () => {
  expect(meant("far", 101, 100, targets, allowed)).toBe("far");
});

test("beside everything the nearest allowed is meant, within reach", () => {
  expect(meant(null, 118, 100, targets, allowed)).toBe("far");
  expect(meant(null, 112, 100, targets, allowed)).toBe("near");
  expect(meant(null, 100, 100 + REACH, targets, allowed)).toBe("near");
  expect(meant(null, 100, 100 + REACH + 1, targets, new Set(["near"]))).toBeNull();
});

test("on something that is not allowed only what is very near counts; else it is said why not", () => {
  expect(meant("never", 100, 112, targets, allowed)).toBe("near");
  expect(meant("never", 100, 130, targets, allowed)).toBe("never");
});
