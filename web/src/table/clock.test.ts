import { expect, test } from "vitest";
import { clockText } from "./clock";

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, "0:00.0"],
  [-1, "0:00.0"],
  [99, "0:00.0"],
  [100, "0:00.1"],
  [999, "0:00.9"],
  [second, "0:01.0"],
  [9_999, "0:09.9"],
  [10_000, "0:10"],
  [59_999, "0:59"],
  [minute, "1:00"],
  [minute + 5 * second, "1:05"],
  [10 * minute - 1, "9:59"],
  [hour - 1, "59:59"],
  [hour, "1:00:00"],
  [hour + minute + second, "1:01:01"],
  [10 * hour + 59 * minute + 59 * second, "10:59:59"],
  [2 * day - 1, "47:59:59"],
  [2 * day, "2 days"],
  [3 * day - 1, "2 days"],
  [3 * day, "3 days"],
])("%d ms are shown as %s", (milliseconds, text) => {
  expect(clockText(milliseconds)).toBe(text);
});
