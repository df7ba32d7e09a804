import { describe, expect, test, vi } from "vitest";
import { demo } from "../test/demos";
import type { Filling, Part, Tint, Words } from "../wire.gen";
import { Arrangement } from "../board/arrangement.svelte";
import { clockText } from "./clock";
import { sections } from "../board/sections";

const tint = (name: string, letter: string): Tint => ({ name, letter, shape: "", fill: "", ink: "", words: ["x"] });
const palette = [tint("red", "R"), tint("blue", "B")];
const plan: Filling = {
  spots: ["A:a1", "A:a2", "A:b1"],
  pattern: "build-A:{}{}/{}",
  kind: "bucket",
  how: ["x"],
  done: ["y"],
  suggestion: ["red", "blue", "red"],
};

describe("arranging", () => {
  test("begins with the suggestion and exchanges two", () => {
    const made = new Arrangement(plan, palette);
    expect(made.text).toBe("build-A:RB/R");
    made.pick("A:a2");
    made.pick("A:b1");
    expect(made.text).toBe("build-A:RR/B");
    made.restore();
    expect(made.text).toBe("build-A:RB/R");
  });
  test("shuffling gives another order, by chance, and lets go of what was picked", () => {
    const made = new Arrangement({ ...plan, suggestion: ["red", "blue", "green"] }, palette);
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    made.pick("A:a1");
    made.shuffle();
    expect([made.tints, made.picked]).toEqual([["blue", "green", "red"], []]);
    random.mockReturnValue(0.999);
    made.shuffle();
    expect(made.tints).toEqual(["blue", "green", "red"]);
    random.mockRestore();
  });
  test("a piece is taken up, put down elsewhere, or let go; other places are nothing", () => {
    const made = new Arrangement(plan, palette);
    made.pick("elsewhere");
    expect(made.picked).toEqual([]);
    made.pick("A:a2");
    expect([made.picked, made.next]).toEqual([["A:a2"], new Set(plan.spots)]);
    made.drop();
    expect([made.picked, made.tints]).toEqual([[], plan.suggestion]);
    made.pick("A:a1");
    made.restore();
    expect(made.picked).toEqual([]);
    expect(made.part.pieces).toEqual([
      { spot: "A:a1", kind: "bucket", tint: "red" },
      { spot: "A:a2", kind: "bucket", tint: "blue" },
      { spot: "A:b1", kind: "bucket", tint: "red" },
    ]);
    expect(new Arrangement({ ...plan, suggestion: ["red", "nothing"], kind: "cup" }, palette)).toMatchObject({ text: "build-A:R?/?" });
  });
  test("shuffling keeps what there is", () => {
    const made = new Arrangement(plan, palette);
    made.shuffle();
    expect([...made.tints].sort()).toEqual(["blue", "red", "red"]);
  });
});

describe("sections of a real table", () => {
  const hand: Part = {
    id: "A:hand",
    cells: ["A:R5", "A:R5'", "A:B2"].map((spot, i) => ({ spot, x: i, y: 12, name: ["cup-king.space"] as Words, shape: "card" as const })),
    owner: 0,
    role: "hand",
  };
  const dealt = [...demo("cup-king")[0]!.scene.parts, hand];
  const spots = (seat: number | null, narrow: boolean, alone = false) =>
    sections(dealt, seat, narrow, alone).map((part) => [part.key, part.cells.map((cell) => cell.spot)] as const);

  test("everything is drawn once, one's own apart", () => {
    const parts = spots(0, true);
    expect(parts.map(([key]) => key)).toEqual(["others", "mine", "hand"]);
    expect(parts.flatMap(([, some]) => some).sort()).toEqual(dealt.flatMap((part) => part.cells ?? []).map((cell) => cell.spot).sort());
    expect(parts[2]?.[1]).toEqual(["A:R5", "A:R5'", "A:B2"]);
  });
  test("a phone as a hand shows nothing of the others", () => {
    expect(spots(0, true, true).flatMap(([, some]) => some).some((spot) => spot.startsWith("B:"))).toBe(false);
  });
  test("a spectator's big screen is one picture", () => {
    const whole = spots(null, false);
    expect(whole.map(([key]) => key)).toEqual(["whole"]);
    expect(whole[0]?.[1]).toContain("pile");
    expect(whole[0]?.[1]).toContain("B:a1");
  });
});

test("clocks are short", () => {
  expect([245_000, 9_340, 3_725_000, 3 * 86_400_000, -5].map(clockText)).toEqual(["4:05", "0:09.3", "1:02:05", "3 days", "0:00.0"]);
});
