import { describe, expect, test } from "vitest";
import { demo } from "../test/demos";
import type { Choice, Part, Scene, SceneChange, Words } from "../wire.gen";
import { enter, manner } from "./entering";
import { bounds, fold, nearest, rise, step } from "./geometry";
import { duration, keyframes } from "./motion";
import { mix } from "./paint";
import { follow, place } from "./route";
import { changed, piecesOf, sheet } from "./scene";

const ground = (game: string) => sheet(demo(game)[0]!.scene.parts);
const frames = (game: string) => demo(game).map(({ scene, path }) => ({ pieces: piecesOf(scene.parts), path }));
const choice = (...spots: string[]): Choice => ({ text: spots.join("-"), spots });
const never = manner([]);

describe("entering a move", () => {
  const moves = [choice("1", "2"), choice("1", "5"), choice("3", "off")];

  test("first the pieces that can move may be pointed at", () => {
    expect(enter(moves, [], never).next).toEqual(new Set(["1", "3"]));
  });
  test("then where the piece can go, and the last spot makes the move", () => {
    expect(enter(moves, ["1"], never).next).toEqual(new Set(["2", "5"]));
    expect(enter(moves, ["1", "5"], never).done?.text).toBe("1-5");
    expect([...enter(moves, ["1"], never).last, ...enter([choice("d4")], [], never).last]).toEqual(["2", "5", "d4"]);
    expect(enter(moves, [], never).last.size).toBe(0);
  });
  test("what begins no move leads nowhere", () => {
    expect(enter(moves, ["2"], never).open).toEqual([]);
  });

  const cell = (spot: string, like = "") => ({ spot, x: 0, y: 0, name: ["seat.red"] as Words, like });
  const cards = manner([{ id: "A:hand", cells: [cell("A:R3"), cell("A:R7"), cell("A:R7'", "A:R7")], taking: "any-order" }]);
  const plays = [choice("A:R7", "confirm"), choice("A:R7", "A:R3", "confirm"), choice("A:R7", "A:R7'", "confirm"), choice("A:c2")];

  test("cards are chosen in any order", () => {
    expect(enter(plays, ["A:R3"], cards).next).toEqual(new Set(["A:R7", "A:R7'"]));
    expect(enter(plays, ["A:R3", "A:R7"], cards).next).toEqual(new Set(["confirm"]));
    expect(enter(plays, ["A:R3", "A:R7", "confirm"], cards).done?.spots).toContain("A:R3");
  });
  test("either of two equal cards will do", () => {
    expect(enter(plays, ["A:R7'", "confirm"], cards).done?.text).toBe("A:R7-confirm");
  });
  test("a card excludes a bucket", () => {
    expect(enter(plays, ["A:R7"], cards).next.has("A:c2")).toBe(false);
  });
});

describe("geometry", () => {
  test("a tall stack is pressed together, so that the board need not move", () => {
    expect(rise({ kind: "cup" }, 3)).toBe(0.27);
    expect(rise({ kind: "cup" }, 10) * 9).toBeCloseTo(1.1);
    expect(rise({ kind: "peg" }, 3)).toBe(0);
  });
  test("the highest stack is in sight, and on a folded board it leaves the squares above it free", () => {
    const CUP = 0.49; // the upper half of a cup, with the edge of its closed end
    const board = fold(ground("jumping-cups"));
    const { top } = bounds(board);
    const rows = [...new Set(board.cells.map((cell) => cell.y))].sort((a, b) => a - b) as [number, number];
    for (let count = 1; count <= 10; count++) {
      const high = rise({ kind: "cup" }, count) * (count - 1) + CUP;
      expect(rows[0] - high).toBeGreaterThan(top);
      expect(rows[1] - high).toBeGreaterThan(rows[0] + 0.5);
    }
  });
  test("all of the star is in sight", () => {
    const board = ground("chinese-checkers");
    const box = bounds(board);
    for (const cell of board.cells) {
      expect(cell.x - 0.5).toBeGreaterThan(box.left);
      expect(cell.y + 0.5).toBeLessThan(box.top + box.height);
    }
  });
  test("the track of fourteen bends into two rows of seven, and neighbours stay neighbours", () => {
    const cells = fold(ground("jumping-cups")).cells;
    expect(new Set(cells.map((cell) => cell.y)).size).toBe(2);
    for (let i = 1; i < 14; i++) {
      const [a, b] = [cells.find((c) => c.spot === `${i}`), cells.find((c) => c.spot === `${i + 1}`)];
      const far = Math.abs((a?.x ?? 0) - (b?.x ?? 9)) + (a?.y === b?.y ? 0 : 1);
      expect(far).toBe(1);
    }
  });
  test("no other board bends", () => {
    const board = ground("double-dutch");
    expect(fold(board)).toBe(board);
  });
  test("keys lead to all six neighbours, and upwards twice is straight up", () => {
    const board = ground("double-dutch");
    const at = (spot: string) => board.cells.find((cell) => cell.spot === spot)!;
    const go = (from: string, key: string) => step(board.cells, at(from), key, at(from).x)?.spot;
    expect(["ArrowLeft", "ArrowRight", "Home", "PageUp", "End", "PageDown"].map((key) => go("e4", key))).toEqual([
      "e3", "e5", "d3", "d4", "f4", "f5",
    ]);
    const up = step(board.cells, at("e4"), "ArrowUp", at("e4").x)!;
    expect(step(board.cells, up, "ArrowUp", at("e4").x)?.spot).toBe("c4");
  });
  test("every hole of the star can be reached by keys", () => {
    const { cells } = ground("chinese-checkers");
    const seen = new Set([cells[0]!]);
    for (const cell of seen) {
      for (const key of ["ArrowLeft", "ArrowRight", "Home", "PageUp", "End", "PageDown"]) {
        const next = step(cells, cell, key, cell.x);
        if (next) seen.add(next);
      }
    }
    expect(seen.size).toBe(121);
  });
  test("a point finds the nearest place within reach", () => {
    const cells = [{ x: 0, y: 0 }, { x: 1, y: 0 }];
    expect(nearest(cells, 0.6, 0, 0.5)).toBe(cells[1]);
    expect(nearest(cells, 3, 0, 0.5)).toBeUndefined();
  });
});

describe("following pieces", () => {
  test("in real games nothing is born or lost where a piece only moves", () => {
    for (const game of ["jumping-cups", "chinese-checkers"]) {
      const [first, ...later] = frames(game);
      let placed = place(first!.pieces);
      for (const frame of later) {
        const change = follow(placed, frame.pieces, frame.path);
        expect([change.born, change.gone, change.travels.length]).toEqual([[], [], 1]);
        expect(change.travels[0]!.path).toEqual(frame.path);
        placed = change.placed;
      }
    }
  });
  test("a stone that slides and turns over is the same stone, and one is born behind it", () => {
    const [first, ...later] = frames("double-dutch");
    let placed = place(first!.pieces);
    for (const frame of later) {
      const change = follow(placed, frame.pieces, frame.path);
      expect(change.gone).toEqual([]);
      expect(change.travels.map((trip) => trip.path)).toEqual([frame.path]);
      expect(change.born.length).toBe(1);
      placed = change.placed;
    }
  });
  test("fallen buckets are gone", () => {
    const before = place([{ spot: "A:a1", kind: "bucket", tint: "red" }, { spot: "A:b1", kind: "bucket", tint: "blue" }]);
    expect(follow(before, [{ spot: "A:a1", kind: "bucket", tint: "red" }], ["A:b1"]).gone.map((piece) => piece.spot)).toEqual([
      "A:b1",
    ]);
  });
});

describe("motion", () => {
  test("a move takes 180 to 350 ms, however many hops", () => {
    for (const hops of [1, 2, 5, 20]) {
      expect(duration(hops)).toBeGreaterThanOrEqual(180);
      expect(duration(hops)).toBeLessThanOrEqual(350);
    }
  });
  test("a cup goes up and over, a stone slides", () => {
    const way = [{ x: 0, y: 0 }, { x: 2, y: 0 }];
    expect(keyframes(way, "cup").length).toBe(3);
    expect(keyframes(way, "dome").length).toBe(2);
    expect(keyframes(way, "cup").at(-1)?.["transform"]).toBe("translate(0px, 0px)");
  });
  test("colours are stirred", () => {
    expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
  });
});

describe("a scene that changes", () => {
  const part = (id: string, more: Partial<Part> = {}): Part => ({ id, cells: [{ spot: id, x: 0, y: 0, name: ["seat.red"] }], ...more });
  const scene: Scene = { title: ["x"], status: ["a"], parts: [part("one"), part("two"), part("three")], players: [], marks: [{ kind: "to", spot: "one" }], tints: [] };
  const change: SceneChange = { status: ["b"], players: [{ seat: 0, name: ["seat.red"], tint: "red" }] };
  const [one, two, three] = scene.parts;

  test("says anew what is short, and keeps the very same parts when none has changed", () => {
    const now = changed(scene, change);
    expect(now).toEqual({ ...scene, advice: null, status: ["b"], players: change.players, marks: [], controls: [], direction: 0 });
    expect([now.parts, now.title, now.tints].every((kept, i) => kept === [scene.parts, scene.title, scene.tints][i])).toBe(true);
  });
  test("takes what is new of a part, and leaves the rest of it and the other parts alone", () => {
    const now = changed(scene, { ...change, parts: [{ id: "two", pieces: [{ spot: "two", kind: "peg" }] }] });
    expect(now.parts).toEqual([one, { ...two, pieces: [{ spot: "two", kind: "peg" }] }, three]);
    expect([now.parts[0] === one, now.parts[1]?.cells === two?.cells, now.parts[2] === three]).toEqual([true, true, true]);
  });
  test("has the parts of the new order and no others", () => {
    const now = changed(scene, { ...change, parts: [{ id: "four", role: "hand", owner: 1 }], order: ["four", "three", "one"] });
    expect(now.parts).toEqual([{ id: "four", role: "hand", owner: 1 }, three, one]);
    expect(now.parts[1]).toBe(three);
  });
});
