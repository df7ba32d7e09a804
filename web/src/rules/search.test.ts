// Searching as people type: slips, accents, endings and other words for the same thing still find the rule.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fit, fold, Search, slips, type Entry } from "./search";
import { numbersIn, plain } from "./rulebook";

const games = new URL("../../../src/cupboard/games/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, games), "utf8");

/** The rules of a game as its page defines them, near enough for a search. */
function rules(folder: string, language: "en" | "de"): Entry[] {
  const page = read(`${folder}/README${language === "en" ? "" : ".de"}.md`).replace(/\n {2,}(?=\S)/g, " ");
  const found = page.matchAll(/^(?:- \*\*|\| )([A-Z]{2}-[A-Z]?\d+)(?:\*\* | \| )(.*)$/gm);
  return [...found].map(([, number = "", text = ""]) => ({ game: folder, number, text: text.replaceAll("|", "") }));
}
function search(folder: string, language: "en" | "de" = "en"): Search {
  const words = JSON.parse(read(`${folder}/strings/${language}.json`)) as Record<string, string>;
  return new Search(rules(folder, language), { [folder]: words["rules.alike"] ?? "" });
}
const numbers = (folder: string, query: string, language: "en" | "de" = "en") =>
  search(folder, language).find(query).map((hit) => hit.number);

describe("what is found", () => {
  test.each([
    ["JC-13"], ["jc13"], ["jc-13"], ["13"],
  ])("a number, written %s", (query) => expect(numbers("jumping_cups", query)[0]).toBe("JC-13"));

  test.each([
    ["jumping_cups", "overshoot", ["JC-12", "JA-1"]],
    ["jumping_cups", "stuck", ["JC-17", "JA-11"]],
    ["jumping_cups", "off the trak", ["JC-12"]],
    ["jumping_cups", "stak", ["JC-7", "JC-9"]],
    ["double_dutch", "flipped", ["DD-10"]],
    ["double_dutch", "skip", ["DD-12", "DA-6"]],
    ["chinese_checkers", "marble hop", ["CC-13"]],
    ["chinese_checkers", "exchange", ["CC-18", "CA-14"]],
    ["cup_king", "equal totl", ["KA-3"]],
    ["cup_king", "joker", ["CK-V2", "KA-20"]],
  ] as const)("in %s: %s", (folder, query, expected) => expect(numbers(folder, query)).toEqual(expect.arrayContaining([...expected])));

  test.each([
    ["jumping_cups", "verlässt", "JC-12"],
    ["jumping_cups", "VERLASST", "JC-12"],
    ["jumping_cups", "unentschieden", "JC-18"],
    ["jumping_cups", "zielfelder", "JC-13"],
    ["double_dutch", "überspringen", "DD-8"],
    ["chinese_checkers", "jüngste", "CC-10"],
    ["cup_king", "Eimmer schnipsen", "CK-12"],
  ] as const)("in German, in %s: %s", (folder, query, number) => expect(numbers(folder, query, "de")).toContain(number));

  test("nothing for what no rule speaks of, and for no word at all", () => {
    expect(numbers("jumping_cups", "xylophone")).toEqual([]);
    expect(numbers("jumping_cups", " … ")).toEqual([]);
  });
  test("a question in whole words finds what it is about", () => {
    expect(numbers("jumping_cups", "may I pass")[0]).toBe("JC-6");
    expect(numbers("chinese_checkers", "may I jump over my own piece")).toContain("CC-13");
  });
  test("other words of one game are not looked for in another", () => {
    const both = new Search([...rules("jumping_cups", "en"), ...rules("cup_king", "en")], { jumping_cups: "stuck, blocked" });
    expect(new Set(both.find("stuck").map((hit) => hit.game))).toEqual(new Set(["jumping_cups"]));
  });
  test("at most twelve, the best first", () => {
    const found = numbers("cup_king", "bucket");
    expect(found.length).toBe(12);
    expect(new Set(found).size).toBe(12);
  });
  test("the snippet shows where", () => {
    const [hit] = search("jumping_cups").find("overshooting");
    expect(hit?.number).toBe("JA-1");
    expect(hit?.snippet).toContainEqual(["overshooting", true]);
    const long = search("cup_king").find("fingers").find(({ number }) => number === "CK-12");
    expect(long?.snippet.map(([text]) => text).join("").length).toBeLessThan(260);
    expect(long?.snippet.some(([, found]) => found)).toBe(true);
  });
});

describe("words", () => {
  test("are folded", () => expect(fold("Größe, Überspringen")).toBe("grosse, uberspringen"));
  test.each([["cup", "cup", 0], ["cpu", "cup", 1], ["stak", "stack", 1], ["buket", "bucket", 1], ["jumpng", "jumping", 1], ["red", "yellow", 3]])(
    "%s and %s are %d slips apart",
    (one, other, count) => expect(slips(one, other, 2)).toBe(count),
  );
  test("a short word is not mistaken for another", () => {
    expect(fit("cap", "cup")).toBe(0);
    expect(fit("stack", "stacks")).toBeGreaterThan(fit("stcak", "stacks"));
    expect(fit("1", "10")).toBe(0);
    expect(fit("oversht", "overshoot")).toBeGreaterThan(fit("oversht", "over"));
    expect(fit("jumping", "jump")).toBeGreaterThan(0);
  });
});

describe("which rule explains a sentence", () => {
  const says = { "g.no": "AB-1", "g.fell": "AB-2", "g.off": "AB-3" };
  test("its own, then those of the sentences in it", () => {
    expect(numbersIn(["g.no", { cell: "e4", why: ["g.off"] }], says)).toEqual(["AB-1", "AB-3"]);
    expect(numbersIn(["join.sentences", [["g.fell", { slots: ["join.and", ["a1", "b2"]] }], ["g.other", []], ["g.fell"]]], says)).toEqual(["AB-2"]);
    expect(numbersIn(["g.no.you", {}], says)).toEqual(["AB-1"]);
    expect(numbersIn("a name", says)).toEqual([]);
    expect(numbersIn(["move.other", {}], says)).toEqual([]);
  });
});

test("what only leads to an option is left out of the plain text", () => {
  expect(plain([["text", "Yes (see "], ["rule", "AB-1"], ["text", "). An option allows it ("], ["option", "x"], ["text", ")."]])).toBe(
    "Yes (see AB-1). An option allows it.",
  );
});
