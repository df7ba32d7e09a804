// The page draws any scene: it knows neither a game nor the things of one, except how each kind of piece looks.
import { expect, test } from "vitest";

const sources = import.meta.glob<string>(["../**/*.{ts,svelte,css}", "../../index.html", "!../**/*.test.ts", "!../**/*.gen.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const games = Object.keys(import.meta.glob("../../../src/cupboard/games/*/__init__.py", { query: "?raw" })).map((path) => path.split("/").at(-2)!);
/** How each kind of piece is drawn and moves. */
const DRAWINGS = ["../board/kinds.ts", "../board/PieceShape.svelte"];

const found = (what: RegExp, but: string[] = []) =>
  Object.entries(sources)
    .filter(([path]) => !but.includes(path))
    .flatMap(([path, text]) => text.split("\n").map((line) => `${path}: ${line.trim()}`))
    .filter((line) => what.test(line));

test("no game is named", () => {
  expect(games).toContain("cup_king");
  expect(Object.keys(sources).length).toBeGreaterThan(50);
  expect(found(new RegExp(games.map((name) => name.replaceAll("_", ".?")).join("|"), "i"))).toEqual([]);
});

test("no thing of a game is named outside the drawings of pieces", () => {
  // The product is called Cupboard, and a page is compiled.
  expect(found(/bucket|pyramid|(?<!com)pile|cup(?!board)/i, DRAWINGS)).toEqual([]);
});

test("no spot is taken apart", () => {
  expect(found(/\bspots?\b.*\.(replace|match|split|startsWith|endsWith|slice)\(|test\(\w*\.?spot\)/)).toEqual([]);
});
