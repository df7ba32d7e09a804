// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Words } from "../wire.gen";
import { FakeServer } from "../test/fakes";

let server: FakeServer;
beforeEach(() => {
  vi.resetModules();
  server = new FakeServer();
  vi.stubGlobal("fetch", server.fetch);
  localStorage.clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("asking the server", () => {
  const load = () => import("./api");

  test("each question has its address, and only what is sent has a type", async () => {
    const { api } = await load();
    const spied = vi.fn(server.fetch);
    vi.stubGlobal("fetch", spied);
    server.answers = { "/api": { ok: true } };
    await api.table("a/b");
    await api.scenes("t", 7);
    await api.take("t", 1, { name: "Ida" });
    await api.rename("Ida");
    await api.signOut();
    expect(server.asked).toEqual([
      { method: "GET", path: "/api/tables/a%2Fb", body: undefined },
      { method: "GET", path: "/api/tables/t/scenes?since=7", body: undefined },
      { method: "POST", path: "/api/tables/t/seats/1", body: { name: "Ida" } },
      { method: "PUT", path: "/api/me", body: { name: "Ida" } },
      { method: "DELETE", path: "/api/session", body: undefined },
    ]);
    const headers = spied.mock.calls.map(([, options]) => (options as { headers?: unknown }).headers);
    expect(headers).toEqual([{}, {}, { "Content-Type": "application/json" }, { "Content-Type": "application/json" }, {}]);
  });
  test("an answer without content is nothing", async () => {
    const { api } = await load();
    server.answers = { "/api": {} };
    server.status = 204;
    expect(await api.me()).toBe(undefined);
  });
  test("a refusal has its code and its sentence, in the language of the page where there are words", async () => {
    const { api, Refusal } = await load();
    server.status = 409;
    server.answers = { "/api": { code: "stale", sentence: "Too late.", words: ["turn.over", []] } };
    await expect(api.me()).rejects.toMatchObject({ code: "stale", message: "The game is over." });
    server.answers = { "/api": { code: "stale", sentence: "Too late." } };
    await expect(api.me()).rejects.toMatchObject({ message: "Too late." });
    server.answers = { "/api": "no json" };
    await expect(api.me()).rejects.toMatchObject({ code: "409", message: expect.stringMatching(/server/i) as string });
    await expect(api.me()).rejects.toBeInstanceOf(Refusal);
  });
  test("without a server there is a sentence too", async () => {
    const { api } = await load();
    server.down = true;
    await expect(api.me()).rejects.toMatchObject({ code: "offline" });
  });
  test("rules are asked for in the language of the page", async () => {
    const { api } = await load();
    server.answers = { "/api/games/cup-king/rulebook?language=en": { language: "en", intro: [], groups: [] } };
    expect(await api.rulebook("cup-king")).toMatchObject({ language: "en" });
    await expect(api.rulebook("chess")).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("where we are", () => {
  test("a table is known by its address", async () => {
    history.replaceState(null, "", "/t/aB_9-x/?watch");
    const { place } = await import("./place.svelte");
    expect([place.table, place.query.has("watch"), place.query.has("hand")]).toEqual(["aB_9-x", true, false]);
    const scrolled = vi.spyOn(globalThis, "scrollTo");
    place.go("/");
    expect([place.table, place.path, location.pathname, scrolled.mock.calls]).toEqual([null, "/", "/", [[0, 0]]]);
    for (const path of ["/t/", "/t/a/b", "/x/t/a"]) {
      place.replace(path);
      expect(place.table).toBe(null);
    }
    place.replace("/t/b?invite=1");
    expect([place.table, place.query.get("invite")]).toEqual(["b", "1"]);
    history.replaceState(null, "", "/t/c");
    dispatchEvent(new Event("popstate"));
    expect(place.table).toBe("c");
  });
  test("a plain click on a link goes there without loading the page; others are the browser's", async () => {
    const { link, place } = await import("./place.svelte");
    const anchor = document.createElement("a");
    anchor.setAttribute("href", "/t/z");
    anchor.onclick = link;
    const click = (options: MouseEventInit) => {
      const event = new MouseEvent("click", { cancelable: true, ...options });
      anchor.dispatchEvent(event);
      return event.defaultPrevented;
    };
    place.replace("/");
    expect([click({ ctrlKey: true }), click({ metaKey: true }), click({ shiftKey: true }), click({ button: 1 }), place.table]).toEqual([false, false, false, false, null]);
    expect([click({}), place.table]).toEqual([true, "z"]);
    anchor.removeAttribute("href");
    expect([click({}), place.path]).toEqual([true, "/"]);
  });
});

describe("what the device remembers", () => {
  const load = async (coarse = false) => {
    vi.stubGlobal("matchMedia", (query: string) => ({ matches: coarse && query.includes("coarse") }));
    vi.resetModules();
    return (await import("./prefs.svelte")).prefs;
  };
  test("theme, sound and language", async () => {
    const prefs = await load();
    expect([prefs.theme, prefs.sound, prefs.language]).toEqual(["auto", true, ""]);
    prefs.setTheme("dark");
    prefs.setSound(false);
    expect([document.documentElement.dataset["theme"], prefs.theme, prefs.sound]).toEqual(["dark", "dark", false]);
    const reload = vi.fn();
    vi.stubGlobal("location", { reload, pathname: "/learn" });
    prefs.setLanguage("de");
    expect(reload).toHaveBeenCalledOnce();
    expect(document.cookie).toContain("cupboard-language=de");
    const later = await load();
    expect([later.theme, later.sound, later.language]).toEqual(["dark", false, "de"]);
    later.setSound(true);
    expect([(await load(true)).sound, later.sound]).toEqual([true, true]);
  });
  test("that a game is new here, until two moves have been made", async () => {
    const prefs = await load();
    expect([prefs.isNew("go"), prefs.isNew("chess")]).toEqual([true, true]);
    prefs.countMove("go");
    expect(prefs.isNew("go")).toBe(true);
    prefs.countMove("go");
    prefs.countMove("go");
    expect([prefs.isNew("go"), prefs.isNew("chess"), prefs.moves]).toEqual([false, true, { go: 2 }]);
    expect((await load()).isNew("go")).toBe(false);
    for (const broken of ["{", "[]", "7", '{"go":"x"}', "null"]) {
      localStorage.setItem("cupboard.moves", broken);
      expect((await load()).isNew("go")).toBe(true);
    }
  });
  test("a phone is silent until asked", async () => {
    expect((await load(true)).sound).toBe(false);
  });
  test("without storage everything works", async () => {
    vi.stubGlobal("localStorage", undefined);
    const prefs = await load();
    prefs.setTheme("light");
    expect(prefs.theme).toBe("light");
  });
});

describe("who we are", () => {
  test("is asked once, with the games, and trouble is said", async () => {
    const { people } = await import("./people.svelte");
    server.answers = { "/api/me": { name: "Ida", username: "" }, "/api/games": [{ name: "cup-king", title: ["cup-king.title"] }] };
    await people.load();
    expect([people.me?.name, people.game("cup-king")?.name, people.game("chess"), people.trouble]).toEqual(["Ida", "cup-king", undefined, ""]);
    server.down = true;
    await people.load();
    expect(people.trouble).not.toBe("");
    server.down = false;
    await people.load();
    expect(people.trouble).toBe("");
  });
  test("a game that this page was not built with brings its words along, once", async () => {
    const { people } = await import("./people.svelte");
    const { say } = await import("./messages");
    const title: Words = ["unheard-of.title"];
    server.answers = { "/api/me": { name: "Ida" }, "/api/games": [{ name: "unheard-of", title }], "/api/words/en": { "unheard-of.title": "Unheard Of", yes: "Aye" } };
    const before = people.lessons;
    await people.load();
    expect([say(title), say(["yes"]), people.lessons - before]).toEqual(["Unheard Of", "Yes", 1]);
    await people.load();
    expect([people.lessons - before, server.asked.filter((one) => one.path.startsWith("/api/words")).length]).toEqual([1, 1]);
  });
  test("a name is what was chosen, or the words for who chose none", async () => {
    const { called } = await import("./names");
    expect([called({ name: "Ida" }), called({ name: "Guest", words: ["name.guest"] }), called({}), called(null), called(undefined)]).toEqual(["Ida", "Guest", "", "", ""]);
  });
});
