// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { people } from "../lib/people.svelte";
import { FakeServer } from "../test/fakes";
import { close, settle, stage, target } from "../test/stage";
import type { GameInfo, LevelTally, PlayedTable, StrengthInfo, StrengthPoint, Words } from "../wire.gen";
import MinePage from "./MinePage.svelte";

let server: FakeServer;

const level = (name: string, elo: number) => ({ level: name, title: [`level.${name}`] as Words, words: ["x"] as Words, seats: [2, 3], rungs: [2, 3].map((seats) => ({ seats, elo, words: ["x"] as Words })) });
const game = { name: "g", title: ["turn.over"], blurb: ["x"], minutes: 5, seats: [2, 3], options: [], tints: [], levels: [level("sprout", 0), level("hazel", 150), level("oak", 300)] } as unknown as GameInfo;
const known = (seats: number, games: number): StrengthInfo => ({ game: "g", seats, games, elo: 150, low: 50, high: 250, fits: "hazel", next: "oak", words: ["strength.like", { level: ["level.hazel"], next: ["level.oak"] }] });
const point = (n: number, seats = 2): StrengthPoint => ({ table: `p${n}`, at: n, seats, elo: 100 + n, low: n, high: 200 + n });
const tally = (name: string, seats: number, won: number): LevelTally => ({ level: name, seats, won, drawn: 0, lost: 1 });
const played = (id: string, left_out: PlayedTable["left_out"] = ""): PlayedTable => ({ left_out, table: { id, game: "g", title: ["turn.over"], seats: [], status: "over", version: 1, options: {} } });

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  vi.stubGlobal("fetch", server.fetch);
  people.games = [game];
  server.answers = {
    "/api/strength/g": { strengths: [known(2, 2), known(3, 1)], points: [point(1), point(2), point(3, 3)], tallies: [tally("oak", 2, 4), tally("sprout", 2, 9), tally("oak", 3, 1), tally("", 2, 5)] },
    "/api/mine/g?before=0": { tables: [played("a"), played("b", "helped")], more: 77 },
    "/api/mine/g?before=77": { tables: [played("c")] },
  };
});
afterEach(async () => {
  await close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rows = (table: Element) => [...table.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent));
const links = () => [...target.querySelectorAll("section li a")].map((one) => one.getAttribute("href"));

test("says how strong one is, with a curve and the same in numbers", async () => {
  stage(MinePage, { game: "g" });
  await settle();
  expect(target.textContent).toContain("You play about like Hazel; Oak is next.");
  expect(target.querySelector("svg[role=img]")?.getAttribute("aria-label")).toContain("over 2 games: now about like Hazel");
  expect(target.querySelector("polyline")?.getAttribute("points")?.split(" ").length).toBe(2);
  expect(rows(target.querySelector("details table")!).map((row) => row[0])).toEqual(["1", "2"]);
});
test("begins with the game that was played last", async () => {
  people.games = [{ ...game, name: "other" }, game];
  server.answers["/api/mine"] = { running: [], finished: [played("a").table] };
  stage(MinePage, { game: "" });
  await settle();
  expect(target.querySelector("nav [aria-current=page]")?.getAttribute("href")).toBe("/games/g");
  expect(target.textContent).toContain("You play about like Hazel");
});
test("lists the results by level, the strongest first, for the chosen number of seats", async () => {
  stage(MinePage, { game: "g" });
  await settle();
  const results = () => rows(target.querySelector("[aria-labelledby=levels] table")!).map((row) => row.slice(0, 2));
  expect(results()).toEqual([["Oak", "4"], ["Sprout", "9"], ["Different bots", "5"]]);
  target.querySelectorAll<HTMLButtonElement>("[role=group] button")[1]!.click();
  await settle();
  expect(results()).toEqual([["Oak", "1"]]);
  expect(target.querySelector("svg[role=img]")?.getAttribute("aria-label")).toContain("after 1 game");
});
test("shows the tables in pages, and says which do not count", async () => {
  stage(MinePage, { game: "g" });
  await settle();
  expect(links()).toEqual(["/t/a", "/t/b"]);
  expect(target.querySelector(".note")?.textContent).toBe("does not count: with help");
  target.querySelector<HTMLButtonElement>(".more")!.click();
  await settle();
  expect([links(), target.querySelector(".more")]).toEqual([["/t/a", "/t/b", "/t/c"], null]);
});
test("without a game's name shows the first, and says so when nothing was played or the server is away", async () => {
  server.answers = { "/api/strength/g": { strengths: [known(2, 0)], points: [], tallies: [] }, "/api/mine/g": { tables: [] } };
  stage(MinePage, { game: "" });
  await settle();
  expect([target.querySelector("[aria-current=page]") !== null, target.querySelector("svg[role=img]"), target.textContent?.includes("not played")]).toEqual([true, null, true]);
  await close();
  server.down = true;
  stage(MinePage, { game: "g" });
  await settle();
  expect(target.querySelector("[role=alert]")?.textContent).not.toBe("");
});
