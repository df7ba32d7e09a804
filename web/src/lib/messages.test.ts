import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Words } from "../wire.gen";
import { direction, fill, LANGUAGES, lettered, list, say, sayToYou, speak, t, when } from "./messages";

const source = new URL("../", import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.(svelte|ts)$/.test(name) && !/test/.test(name));
const texts = new Map(files.map((name) => [name, readFileSync(new URL(name, source), "utf8")]));
const own = JSON.parse(readFileSync(new URL("./messages/en.json", import.meta.url), "utf8")) as Record<string, unknown>;

describe("messages", () => {
  afterEach(() => speak(["en"]));

  test("plural forms follow the language", () => {
    const cups = { one: "{count} kubek", few: "{count} kubki", many: "{count} kubków", other: "{count} kubka" };
    expect([1, 3, 5, 22].map((count) => fill(cups, { count }, "pl"))).toEqual(["1 kubek", "3 kubki", "5 kubków", "22 kubki"]);
    expect(t("card.minutes", { count: 1 })).toBe("1 minute");
  });
  test("none, one and two, and what is no number, take the form that the language gives them", () => {
    const moves = { one: "{count} move", other: "{count} moves" };
    expect([0, 1, 2, 11, 1001].map((count) => fill(moves, { count }, "en"))).toEqual(["0 moves", "1 move", "2 moves", "11 moves", "1,001 moves"]);
    expect([0, 1, 2].map((count) => fill({ one: "un", other: "des" }, { count }, "fr"))).toEqual(["un", "un", "des"]);
    const lot = { zero: "none", one: "one", two: "two", few: "few", many: "many", other: "other" };
    expect([0, 1, 2, 3, 11, 100].map((count) => fill(lot, { count }, "ar"))).toEqual(["none", "one", "two", "few", "many", "other"]);
    expect(fill(moves, { count: "1" }, "en")).toBe("1 moves");
    expect(fill(moves, {}, "en")).toBe("{count} moves");
    expect(fill({ few: "few", other: "other" }, { count: 1 }, "en")).toBe("other");
  });
  test("what has no value stays as it is, and words within words are said", () => {
    expect(fill("{a} {b} {c}", { a: "x", c: ["seat.red", []] }, "en")).toBe("x {b} Red");
    expect(t("no such key")).toBe("no such key");
    expect(say(undefined)).toBe("");
    expect(say(["seat.red"])).toBe("Red");
    expect(say(["no.such"], { who: "x" })).toBe("no.such");
  });
  test("German is spoken where it is wanted first, and English stays for what it lacks", async () => {
    expect(await speak(["de-AT", "en"])).toBe("de");
    expect(t("card.minutes", { count: 1 })).toBe("1 Minute");
    expect(say(["jumping-cups.toMove", { who: ["seat.red", []] }])).not.toBe("Red to move.");
    expect(say(12345)).toBe("12.345");
    expect(list(["a", "b", "c"])).toBe("a, b und c");
    expect(await speak(["tlh", "de"])).toBe("de");
    expect(await speak([])).toBe("en");
  });
  test("colours have a letter of their own in each language, and one without keeps what it came with", async () => {
    const tint = (name: string, letter: string) => ({ name, letter });
    const all = [["red", "R"], ["yellow", "Y"], ["green", "G"], ["blue", "B"], ["purple", "P"], ["white", "W"], ["light", "L"], ["dark", "D"]].map(([name, letter]) => tint(name!, letter!));
    expect(all.map((one) => lettered(one) === one)).toEqual(all.map(() => true));
    await speak(["de"]);
    expect(lettered(tint("yellow", "Y")).letter).toBe("G");
    expect(new Set(all.map((one) => lettered(one).letter)).size).toBe(all.length);
    expect(lettered(tint("mauve", "M")).letter).toBe("M");
  });
  test("whoever says that they are not the one before is told that this signs the other out", async () => {
    expect(t("join.other", { name: "Ida" })).toMatch(/sign Ida out on this device/);
    await speak(["de"]);
    expect(t("join.other", { name: "Ida" })).toMatch(/Ida auf diesem Gerät abmelden/);
  });
  test("a class may be one of adults: its members are not called children", () => {
    for (const folder of ["./messages/", "../../../src/cupboard/server/strings/"]) {
      const words = JSON.parse(readFileSync(new URL(`${folder}de.json`, import.meta.url), "utf8")) as Record<string, unknown>;
      expect(Object.entries(words).filter(([key, said]) => /^(class|no|many|join)\./.test(key) && /\bKind/.test(JSON.stringify(said)))).toEqual([]);
    }
  });
  test("some languages are written from the right", () => {
    expect(["ar", "he-IL", "fa", "ur", "yi", "de", "en", "arc"].map(direction)).toEqual(["rtl", "rtl", "rtl", "rtl", "rtl", "ltr", "ltr", "ltr"]);
  });
  test("numbers are written as the language does", () => {
    expect(fill("{count}", { count: 12345 }, "de")).toBe("12.345");
  });
  test("what happened today is told by the hour", () => {
    vi.stubGlobal("navigator", { languages: ["en-US"], language: "en-US" });
    const noon = new Date(2026, 10, 15, 12, 30).getTime();
    expect(when(noon, noon + 3_600_000)).toMatch(/12:30/);
    expect(when(noon, noon + 3 * 86_400_000)).toMatch(/Nov 15, 2026/);
    const midnight = new Date(2026, 10, 16).getTime();
    expect(when(midnight - 1, midnight)).toMatch(/Nov 15, 2026/);
    expect(when(midnight, midnight + 86_400_000 - 1)).toMatch(/12:00/);
    expect(when(Date.now())).toMatch(/:/);
    vi.unstubAllGlobals();
  });
  test.each<[string[], string, RegExp]>([
    [["en-GB", "en"], "en-GB", /^14:05$/],
    [["en-US", "en"], "en-US", /^2:05\sPM$/],
    [["de-DE"], "de-DE", /^14:05$/],
    [["fr-FR", "en"], "fr-FR", /^14:05$/],
  ])("the hour is told as where the browser is from: %s", (languages, first, told) => {
    vi.stubGlobal("navigator", { languages, language: first });
    const then = new Date(2026, 10, 15, 14, 5).getTime();
    expect(when(then, then)).toMatch(told);
    vi.unstubAllGlobals();
  });
  test("what the server says is said from the catalogues of the games", () => {
    expect(say(["jumping-cups.toMove", { who: ["seat.red", []] }])).toBe("Red to move.");
    expect(say(["join.sentences", [["turn.over", []], ["cup-king.draws", { who: "Ada", count: 2 }]]])).toBe(
      "The game is over. Ada draws 2 cards.",
    );
    expect(say(["cup-king.builds", []], { who: "Ida" })).toBe("Ida has built a pyramid.");
    expect(say(["double-dutch.puts", { cell: "d4" }], { who: "Ada" })).toBe("Ada puts a stone on d4.");
    expect([say("d4"), say(1234), say(null)]).toEqual(["d4", "1,234", ""]);
  });
  test("lists are joined as people speak", () => {
    expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(list)).toEqual(["", "a", "a and b", "a, b and c"]);
    expect(say(["join.or", ["a", "b", "c"]])).toBe("a, b or c");
    expect(say(["join.then", ["9", "10", "13"]])).toBe("9, then 10, then 13");
  });
  test("in the language of brackets everything from a catalogue is in brackets", async () => {
    expect(await speak(["en-XA", "de"])).toBe("en");
    expect(say(["jumping-cups.toMove", { who: ["seat.red", []] }])).toBe("⟦⟦Red⟧ to move.⟧");
    expect(t("card.minutes", { count: 2 })).toBe("⟦2 minutes⟧");
  });
  test("a language that is not there is English", async () => {
    expect(await speak(["tlh", "en-GB"])).toBe("en");
    expect(LANGUAGES[0]).toBe("en");
  });
});

describe("what is asked of you", () => {
  const who: Words = ["cup-king.player", { letter: "A" }];

  test("is said to you where the game has words for it", () => {
    const asked: Words = ["cup-king.needsOrAny", { who, more: 7, colour: ["tint.red"] }];
    expect(say(asked)).toBe("Player A needs more than 7 in red, or taps any bucket.");
    expect(sayToYou(asked)).toBe("You need more than 7 in red, or tap a bucket of your choice.");
    expect(sayToYou(["jumping-cups.toMove", { who }])).toBe("Player A to move.");
  });
});

describe("the page's catalogue", () => {
  test("every key that the page asks for is there", () => {
    for (const [name, text] of texts) {
      for (const [, key] of text.matchAll(/\bt\(\s*"([\w.]+)"/g)) expect(t(key ?? ""), `${key} in ${name}`).not.toBe(key);
      for (const [, start] of text.matchAll(/\bt\(\s*`([\w.]+)\$\{/g)) {
        const found = start === "piece." || Object.keys(own).some((word) => word.startsWith(start ?? "?"));
        expect(found, `${start}… in ${name}`).toBe(true);
      }
    }
  });
  test("every message is asked for", () => {
    const all = [...texts.values()].join("\n");
    const starts = [...all.matchAll(/`([\w.]+\.)\$\{/g)].map((found) => found[1] ?? "");
    for (const key of Object.keys(own)) {
      expect(all.includes(`"${key}"`) || starts.some((start) => key.startsWith(start)), key).toBe(true);
    }
  });
  test("no words are written into the pages themselves", () => {
    for (const [name, text] of texts) {
      if (!name.endsWith(".svelte")) continue;
      const markup = text
        .replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, "")
        .replace(/\{[^{}]*\}/g, "")
        .replace(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, "");
      const words = [...markup.matchAll(/>([^<>{}]*[A-Za-z]{3}[^<>{}]*)</g)].map((found) => found[1]?.trim());
      expect(words.filter((word) => word !== "Cupboard" && !/[=()]/.test(word ?? "")), name).toEqual([]);
    }
  });
});
