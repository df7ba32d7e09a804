import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import english from "./messages/en.json";
import { fill, t, when } from "./messages";

const source = new URL("../", import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.(svelte|ts)$/.test(name) && !/test/.test(name));

describe("messages", () => {
  test("plural forms follow the language", () => {
    const cups = { one: "{count} kubek", few: "{count} kubki", many: "{count} kubków", other: "{count} kubka" };
    expect([1, 3, 5, 22].map((count) => fill(cups, { count }, "pl"))).toEqual(["1 kubek", "3 kubki", "5 kubków", "22 kubki"]);
    expect(t("card.minutes", { count: 1 })).toBe("1 minute");
  });
  test("numbers are written as the language does", () => {
    expect(fill("{count}", { count: 12345 }, "de")).toBe("12.345");
  });
  test("what happened today is told by the hour", () => {
    const noon = new Date(2026, 10, 15, 12, 30).getTime();
    expect(when(noon, noon + 3_600_000)).toMatch(/12:30/);
    expect(when(noon, noon + 3 * 86_400_000)).toMatch(/Nov 15, 2026/);
  });
  test("every key that the page asks for is there", () => {
    const words = new Set(Object.keys(english));
    for (const name of files) {
      const text = readFileSync(new URL(name, source), "utf8");
      for (const [, key] of text.matchAll(/\bt\(\s*"([\w.]+)"/g)) expect(words, `${key} in ${name}`).toContain(key);
      for (const [, start] of text.matchAll(/\bt\(\s*`([\w.]+)\$\{/g)) {
        expect([...words].some((word) => word.startsWith(start ?? "?")), `${start}… in ${name}`).toBe(true);
      }
    }
  });
  test("other languages have no keys of their own, and the same names to fill in", () => {
    const folder = new URL("./messages/", import.meta.url);
    for (const file of readdirSync(folder)) {
      const words = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Record<string, unknown>;
      for (const [key, value] of Object.entries(words)) {
        const names = (message: unknown) => [...new Set(JSON.stringify(message).match(/\{\w+\}/g) ?? [])].sort();
        expect(names(value), `${key} in ${file}`).toEqual(names((english as Record<string, unknown>)[key]));
      }
    }
  });
  test("no words are written into the pages themselves", () => {
    for (const name of files.filter((one) => one.endsWith(".svelte"))) {
      const markup = readFileSync(new URL(name, source), "utf8")
        .replace(/<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, "")
        .replace(/\{[^{}]*\}/g, "")
        .replace(/\{[^{}]*(\{[^{}]*\}[^{}]*)*\}/g, "");
      const words = [...markup.matchAll(/>([^<>{}]*[A-Za-z]{3}[^<>{}]*)</g)].map((found) => found[1]?.trim());
      expect(words.filter((word) => word !== "Cupboard" && !/[=()]/.test(word ?? "")), name).toEqual([]);
    }
  });
});
