// @vitest-environment happy-dom
// Which language an address names, and where the rules are in another one.
import { afterEach, describe, expect, test, vi } from "vitest";
import { languageOf, reloadIn, rulesAddress, wordsOf } from "./language";
import { nameOf, speak } from "./messages";

describe("addresses of rules", () => {
  afterEach(async () => {
    vi.unstubAllGlobals();
    await speak(["en"]);
  });

  test("carry the language of the page", async () => {
    await speak(["de-AT"]);
    expect([rulesAddress(), rulesAddress("cup-king"), rulesAddress("cup-king", "CK-1")]).toEqual(["/rules/de", "/rules/de/cup-king", "/rules/de/cup-king#CK-1"]);
  });
  test.each([["/rules/de/cup-king", "de"], ["/rules/de", "de"], ["/rules/cup-king", undefined], ["/rules/tlh", undefined], ["/rules", undefined], ["/learn/de", undefined], ["/", undefined]])(
    "%s names %s",
    (path, language) => expect(languageOf(path)).toBe(language),
  );
  test.each([["/rules/de/cup-king", ["rules", "cup-king"]], ["/rules/en", ["rules"]], ["/rules/cup-king", ["rules", "cup-king"]], ["/learn/de", ["learn", "de"]], ["/", []]])(
    "%s has the words %s",
    (path, words) => expect(wordsOf(path)).toEqual(words),
  );
  test("another language is another address there, and the page anew elsewhere", () => {
    const [assign, reload] = [vi.fn(), vi.fn()];
    vi.stubGlobal("location", { assign, reload, pathname: "/rules/en/cup-king", search: "?a", hash: "#CK-1" });
    reloadIn("de");
    expect([assign.mock.calls, reload.mock.calls.length]).toEqual([[["/rules/de/cup-king?a#CK-1"]], 0]);
    vi.stubGlobal("location", { assign, reload, pathname: "/learn", search: "", hash: "" });
    reloadIn("de");
    expect([assign.mock.calls.length, reload.mock.calls.length]).toEqual([1, 1]);
  });
});

test.each([["de", "Deutsch"], ["fr", "Français"], ["nl", "Nederlands"], ["pl", "Polski"], ["fi", "Suomi"], ["sv", "Svenska"], ["en", "English"]])(
  "%s is called %s",
  (tag, name) => expect(nameOf(tag)).toBe(name),
);
