// @vitest-environment happy-dom
import { flushSync, tick } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { close, settle, stage, target } from "../test/stage";
import { piecesOf } from "../board/scene";
import { house } from "../lib/house.svelte";
import { people } from "../lib/people.svelte";
import { place } from "../lib/place.svelte";
import { readiness } from "../lib/readiness.svelte";
import { strength } from "../lib/strength.svelte";
import { demo, written } from "../test/demos";
import { FakeServer } from "../test/fakes";
import type { GameInfo, TableInfo, Words } from "../wire.gen";
import Account from "./Account.svelte";
import GameCard from "./GameCard.svelte";
import Home from "./Home.svelte";
import NewTable from "./NewTable.svelte";
import Tables from "./Tables.svelte";

const level = (name: string, ...seats: number[]) => ({ level: name, title: [`level.${name}`] as Words, words: ["x"] as Words, seats, rungs: seats.map((at) => ({ seats: at, elo: name === "oak" ? 300 : 0, words: [`${name} with ${at}`] as Words })) });
const knows = (name: string, seats: number, fits: string, more = {}) => ({ game: name, seats, games: 4, elo: 100, low: 0, high: 200, fits, words: ["strength.like", { level: ["level.sapling"], next: ["level.oak"] }] as Words, next: "oak", ...more });
const game = (name: string, seats: number[], minutes = 10, more: Partial<GameInfo> = {}): GameInfo =>
  ({ name, title: [`${name}.title`], blurb: [`${name}.blurb`], minutes, seats, options: [], levels: [level("sapling", 2, 3), level("oak", 2)], tints: [], ...more }) as unknown as GameInfo;
const seat = (n: number, name: string) => ({ seat: n, kind: "person" as const, name });
const table = (more: Partial<TableInfo>): TableInfo => ({ id: "t", game: "jumping-cups", title: ["jumping-cups.title"], seats: [seat(0, "Ada"), seat(1, "Bo"), seat(2, "Cy")], status: "playing", version: 1, options: {}, ...more });

let server: FakeServer;
let near: (is: boolean) => void;

const posted = () => server.asked.findLast((one) => one.method === "POST");

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
        near = (is) => told([{ isIntersecting: is }]);
      }
      observe() {}
      disconnect() {
        near = () => {};
      }
    },
  );
  Element.prototype.animate = () => ({ finished: Promise.resolve(), cancel: () => {} }) as unknown as Animation;
  HTMLDialogElement.prototype.showModal = () => {};
  people.me = { name: "Ida", username: "" } as never;
  people.games = [];
  strength.all = [];
  localStorage.clear();
  place.replace("/");
});
afterEach(async () => {
  await close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a list of tables", () => {
  const news = async (more: Partial<TableInfo>) => {
    stage(Tables, { title: "x", tables: [table(more)] });
    const found = target.querySelector(".news")!.firstChild!.textContent!.trim();
    const turn = target.querySelector("a")!.classList.contains("yourTurn");
    await close();
    return [found, turn];
  };
  const ended = (winners: number[]) => ({ status: "over" as const, outcome: { winners, seats: 3, reason: "x", sentence: ["turn.over", []] as Words } });

  test("says whose turn it is", async () => {
    expect(await news({ asked: [1], yours: [1] })).toEqual(["Your turn", true]);
    expect(await news({ asked: [0], yours: [1] })).toEqual(["Ada to act", false]);
    expect(await news({ asked: [0, 2] })).toEqual(["Ada and Cy to act", false]);
    expect(await news({ asked: [0, 1, 2] })).toEqual(["3 players to act", false]);
    expect(await news({ asked: [] })).toEqual(["", false]);
    expect(await news({})).toEqual(["", false]);
    expect(await news({ status: "waiting", asked: [1], yours: [1] })).toEqual(["Waiting for players", false]);
  });
  test("says how it ended for you, or for all", async () => {
    const own = [await news({ ...ended([0]), yours: [0] }), await news({ ...ended([1, 2]), yours: [0] }), await news({ ...ended([0, 1]), yours: [0] })];
    expect(own.map(([text]) => text)).toEqual(["You won", "You lost", "You shared the win"]);
    expect((await news({ ...ended([]), yours: [0] }))[0]).toBe("The game is over.");
    expect((await news({ ...ended([0]), yours: [0, 1] }))[0]).toBe("The game is over.");
    expect((await news(ended([0])))[0]).toBe("The game is over.");
  });
  test("names the others, and seats that are free", () => {
    const seats = [seat(0, "Ada"), { seat: 1, kind: "free" as const }, seat(2, "Cy")];
    stage(Tables, { title: "x", tables: [table({ seats, yours: [0] })], verb: "Join" });
    expect(target.querySelector(".main span")?.textContent).toMatch(/^[^A].* and Cy$/);
    expect([target.querySelector(".verb")?.textContent, target.querySelector("a")?.getAttribute("href")]).toEqual(["Join", "/t/t"]);
  });
});

describe("a game's card", () => {
  const players = async (seats: number[], minutes = 10) => {
    stage(GameCard, { game: game("jumping-cups", seats, minutes), busy: false, onplay: () => {}, onplan: () => {} });
    const found = target.querySelector(".faint")?.textContent;
    await close();
    return found;
  };
  test("says how many play, and how long", async () => {
    expect([await players([2]), await players([2, 3]), await players([2, 3, 4]), await players([2, 3, 4, 6]), await players([1, 2, 3], 1)]).toEqual([
      "2 players · 10 minutes",
      "2 or 3 players · 10 minutes",
      "2 to 4 players · 10 minutes",
      "2, 3, 4 or 6 players · 10 minutes",
      "1 to 3 players · 1 minute",
    ]);
  });
  test("offers three ways to begin", () => {
    const [onplay, onplan] = [vi.fn(), vi.fn()];
    stage(GameCard, { game: game("jumping-cups", [2]), busy: true, onplay, onplan });
    const buttons = [...target.querySelectorAll("button")];
    expect(buttons.map((one) => one.disabled)).toEqual([true, false, false]);
    buttons.slice(1).forEach((one) => one.click());
    expect(onplan.mock.calls).toEqual([["friends"], ["screen"]]);
  });
  const stands = () => [...target.querySelectorAll("[data-piece]")].map((one) => one.getAttribute("data-piece")).sort().join();
  const [cups, frames] = [written("jumping-cups"), demo("jumping-cups")];

  test("plays by itself while it is in sight", async () => {
    server.answers = { "/demos/jumping-cups.json": cups };
    stage(GameCard, { game: game("jumping-cups", [2]), busy: false, onplay: () => {}, onplan: () => {} });
    await settle();
    const first = stands();
    expect(first).not.toBe("");
    await settle(2600);
    expect(stands()).toBe(first);
    near(true);
    await settle(2600);
    const second = stands();
    expect(second).toBe(piecesOf(frames[1]!.scene.parts).map((piece) => piece.spot).sort().join());
    expect(second).not.toBe(first);
    near(false);
    await settle(2600);
    expect(stands()).toBe(second);
    near(true);
    await settle(2600 * (frames.length - 1));
    expect(stands()).toBe(first);
    vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    await settle(2600);
    expect(stands()).toBe(first);
  });
  test("a game without a demonstration shows how it begins", async () => {
    server.answers = { "/api/games/unheard-of/scene": { version: 0, scene: frames[0]!.scene } };
    stage(GameCard, { game: game("unheard-of", [2]), busy: false, onplay: () => {}, onplan: () => {} });
    near(true);
    await settle();
    const first = stands();
    expect(first).toBe(piecesOf(frames[0]!.scene.parts).map((piece) => piece.spot).sort().join());
    await settle(9000);
    expect(stands()).toBe(first);
  });
  test("stands still for those who want calm, and without any scene is only words", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    server.answers = { "/demos/jumping-cups.json": cups };
    stage(GameCard, { game: game("jumping-cups", [2]), busy: false, onplay: () => {}, onplan: () => {} });
    near(true);
    await settle();
    const first = stands();
    await settle(9000);
    expect(stands()).toBe(first);
    await close();
    server.answers = {};
    stage(GameCard, { game: game("unheard-of", [2]), busy: false, onplay: () => {}, onplan: () => {} });
    await settle();
    expect(target.querySelector("svg.board")).toBe(null);
  });
});

describe("the front page", () => {
  beforeEach(() => {
    people.games = [game("cup-king", [2, 3], 20), game("jumping-cups", [2], 5), game("double-dutch", [2, 3], 5)];
    server.answers = { "/api/tables": { join: [table({ id: "j" }), table({ id: "own", yours: [0] })], watch: [table({ id: "w" })] }, "/api/mine": { running: [table({ id: "m", yours: [0] })], finished: [table({ id: "f", status: "over" })] } };
  });
  const links = () => [...target.querySelectorAll("a[href^='/t/']")].map((one) => one.getAttribute("href"));

  test("shows the quickest game first, and what is going on", async () => {
    stage(Home, {});
    await settle();
    expect([...target.querySelectorAll("article h2")].map((one) => one.id)).toEqual(["name-jumping-cups", "name-double-dutch", "name-cup-king"]);
    expect(links().sort()).toEqual(["/t/f", "/t/j", "/t/m", "/t/w"]);
    expect(document.title).not.toBe("");
  });
  test("looks again every fifteen seconds, when somebody signs in, and when it comes to sight, but not while hidden", async () => {
    stage(Home, {});
    await settle();
    const looks = () => server.asked.filter((one) => one.path === "/api/mine").length;
    expect(looks()).toBe(1);
    await settle(15_000);
    expect(looks()).toBe(2);
    people.me = { name: "Ida", username: "ida" } as never;
    await settle();
    expect(looks()).toBe(3);
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    await settle(15_000);
    expect(looks()).toBe(3);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event("visibilitychange"));
    await settle();
    expect(looks()).toBe(4);
    await close();
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks()).toBe(4);
  });
  const made = { table: table({ id: "new" }), keys: [], invites: [] };
  const press = async (words: string) => {
    target.querySelector<HTMLButtonElement>(words)!.click();
    await settle();
  };
  const start = async () => {
    target.querySelector("dialog form")!.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
    await settle();
    return posted()?.body as { seats: unknown[] };
  };
  test("asks once against whom, proposes who fits, and starts at once from then on", async () => {
    server.answers["POST /api/tables"] = made;
    server.answers["/api/strength"] = [knows("jumping-cups", 2, "oak")];
    stage(Home, {});
    await settle();
    expect(target.querySelector("article .change")).toBe(null);
    await press("article .play");
    expect([posted(), target.querySelector("dialog .fits")?.closest("label")?.textContent]).toEqual([undefined, expect.stringContaining("Oak")]);
    expect(document.activeElement).toBe(target.querySelector("dialog .start"));
    expect([(await start()).seats, place.table]).toEqual([[{ kind: "me" }, { kind: "bot", level: "oak" }], "new"]);
    await close();
    place.replace("/");
    server.asked = [];
    server.answers["/api/strength"] = [knows("jumping-cups", 2, "sapling")];
    stage(Home, {});
    await settle();
    expect(target.querySelector("article .change")?.textContent).toContain("Sapling");
    await press("article .play");
    expect([(posted()?.body as { seats: unknown[] }).seats[1], place.table]).toEqual([{ kind: "bot", level: "sapling" }, "new"]);
  });
  test("remembers a level and a number of seats that somebody chose, for each game", async () => {
    server.answers["POST /api/tables"] = made;
    server.answers["/api/strength"] = [knows("double-dutch", 2, "oak"), knows("double-dutch", 3, "sapling")];
    stage(Home, {});
    await settle();
    const card = "article[aria-labelledby=name-double-dutch]";
    await press(`${card} .play`);
    target.querySelectorAll<HTMLInputElement>("dialog input[type=radio]").forEach((radio) => radio.value === "sapling" && radio.click());
    await settle();
    expect((await start()).seats).toEqual([{ kind: "me" }, { kind: "bot", level: "sapling" }]);
    await close();
    place.replace("/");
    stage(Home, {});
    await settle();
    expect([...target.querySelectorAll(".change")].length).toBe(1);
    await press(`${card} .change`);
    const three = target.querySelectorAll<HTMLInputElement>("dialog .count input")[1]!;
    three.checked = true;
    three.dispatchEvent(new Event("change", { bubbles: true }));
    await settle();
    expect(target.querySelector("dialog")?.textContent).toContain("sapling with 3");
    expect((await start()).seats).toEqual([{ kind: "me" }, ...Array(2).fill({ kind: "bot", level: "sapling" })]);
  });
  test("asks without knowing any strength, too, and a level that is gone is forgotten", async () => {
    localStorage.setItem("cupboard.play.jumping-cups", JSON.stringify({ seats: 2, level: "yew" }));
    localStorage.setItem("cupboard.play.double-dutch", "{");
    server.answers["POST /api/tables"] = made;
    stage(Home, {});
    await settle();
    await press("article .play");
    expect((await start()).seats).toEqual([{ kind: "me" }, { kind: "bot", level: "sapling" }]);
  });
  test("says why a game cannot begin, and can be tried again", async () => {
    stage(Home, {});
    await settle();
    server.status = 429;
    server.answers["POST /api/tables"] = { code: "too-many", sentence: "Slower." };
    localStorage.setItem("cupboard.play.jumping-cups", JSON.stringify({ seats: 2, level: "oak" }));
    const play = target.querySelector<HTMLButtonElement>("article .play")!;
    play.click();
    flushSync();
    expect(play.disabled).toBe(true);
    await settle();
    expect([target.textContent?.includes("Slower."), play.disabled, place.table]).toEqual([true, false, null]);
  });
  describe("while games are compiled", () => {
    const said = () => target.querySelector("main > [role=status]")?.textContent;
    const onCard = (name: string) => target.querySelector(`article[aria-labelledby=name-${name}] .picture p`)?.textContent?.trim();
    const asked = () => server.asked.filter((one) => one.path === "/api/readiness").length;
    const now = (cups: object, king: object) => (server.answers["/api/readiness"] = [{ game: "jumping-cups", ...cups }, { game: "cup-king", ...king }]);
    const rules = (seconds: number) => ({ state: "rules", seconds });
    const [bots, ready] = [{ state: "bots", levels: ["oak"] }, { state: "ready" }];
    beforeEach(() => {
      [readiness.games, readiness.waited] = [[], false];
    });

    test("each card says how long its own takes, and nobody asks any more when all are ready", async () => {
      now(ready, rules(8));
      stage(Home, {});
      await settle();
      expect([onCard("jumping-cups"), onCard("cup-king")]).toEqual([undefined, "Getting ready: about 8 s"]);
      const once = said();
      expect(once).toMatch(/their cards say/i);
      now(ready, rules(2));
      await settle(1000);
      expect(onCard("cup-king")).toBe("Getting ready: about 2 s");
      expect(target.querySelector<HTMLElement>(".bar")?.style.getPropertyValue("--done")).toBe("0.75");
      expect(said()).toBe(once);
      now(ready, bots);
      await settle(1000);
      expect(onCard("cup-king")).toMatch(/opponents/);
      now(ready, { ...bots, levels: ["sapling"] });
      await settle(1000);
      expect(onCard("cup-king")).toBe(undefined);
      now(ready, ready);
      await settle(1000);
      expect([said(), asked()]).toEqual(["All games are ready.", 5]);
      await settle(5000);
      expect(asked()).toBe(5);
    });
    test("says nothing where all are ready from the beginning", async () => {
      now(ready, ready);
      stage(Home, {});
      await settle(3000);
      expect([said(), onCard("cup-king"), asked()]).toEqual(["", undefined, 1]);
    });
    test("a game that is chosen begins by itself", async () => {
      now(rules(20), ready);
      localStorage.setItem("cupboard.play.jumping-cups", JSON.stringify({ seats: 2, level: "oak" }));
      server.answers["POST /api/tables"] = () => {
        server.status = 503;
        return { code: "getting-ready", sentence: "Not yet." };
      };
      localStorage.setItem("cupboard.play.jumping-cups", JSON.stringify({ seats: 2, level: "sapling" }));
      stage(Home, {});
      await settle();
      const play = target.querySelector<HTMLButtonElement>("article .play")!;
      play.click();
      await settle();
      expect([onCard("jumping-cups"), said()]).toEqual(["Starts by itself in about 20 s", "Jumping Cups is being got ready and then starts by itself."]);
      expect([play.disabled, place.table]).toEqual([true, null]);
      server.status = 200;
      server.answers["POST /api/tables"] = { table: table({ id: "new" }), keys: [], invites: [] };
      await settle(500);
      expect([place.table, target.textContent?.includes("Not yet.")]).toEqual(["new", false]);
    });
    test("asks again when the server was away", async () => {
      server.down = true;
      stage(Home, {});
      await settle();
      server.down = false;
      now(ready, rules(3));
      await settle(1000);
      expect(onCard("cup-king")).toBe("Getting ready: about 3 s");
    });
  });
});

/** Choose in a list, as a person does. happy-dom does not know which option is :checked, so it is told. */
async function pick(select: HTMLSelectElement, value: string) {
  select.value = value;
  select.querySelector = () => [...select.options].find((option) => option.value === value) as never;
  select.dispatchEvent(new Event("change", { bubbles: true }));
  await settle();
}

describe("a new table", () => {
  const made = { table: table({ id: "new" }), keys: [], invites: [] };
  const choose = async (index: number, value: string) => {
    await pick(target.querySelectorAll<HTMLSelectElement>(".seat select")[index]!, value);
  };
  const create = async () => {
    target.querySelector("form")!.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
    await settle();
    return posted()?.body as Record<string, unknown>;
  };
  const begin = (company: string, more: Partial<GameInfo> = {}) => {
    server.answers = { "POST /api/tables": made };
    stage(NewTable, { game: game("double-dutch", [2, 3], 5, more), company, onclose: () => {} });
  };
  test("with friends has a seat for each, and nothing else is said", async () => {
    begin("friends");
    expect(await create()).toEqual({ game: "double-dutch", seats: [{ kind: "me" }, { kind: "friend" }], options: {}, clock: null, listed: false });
    expect(place.table).toBe("new");
  });
  test("at one screen asks for names", async () => {
    begin("screen");
    const name = target.querySelector<HTMLInputElement>(".seat input")!;
    name.value = " Bo ";
    name.dispatchEvent(new Event("input", { bubbles: true }));
    expect((await create())["seats"]).toEqual([{ kind: "me" }, { kind: "me", name: "Bo" }]);
  });
  test("with a seat for everybody is listed, with a bot says which", async () => {
    begin("friends");
    await choose(1, "open");
    expect(await create()).toMatchObject({ listed: true, seats: [{ kind: "me" }, { kind: "open" }] });
    await choose(1, "bot:oak");
    expect(await create()).toMatchObject({ listed: false, seats: [{ kind: "me" }, { kind: "bot", level: "oak" }] });
  });
  test("with more seats takes the next weaker bot where a level does not play", async () => {
    begin("friends");
    await choose(1, "bot:oak");
    const three = target.querySelectorAll<HTMLInputElement>(".count input")[1]!;
    three.checked = true;
    three.dispatchEvent(new Event("change", { bubbles: true }));
    await settle();
    expect((await create())["seats"]).toEqual([{ kind: "me" }, { kind: "bot", level: "sapling" }, { kind: "friend" }]);
  });
  test("says only options that differ from the usual", async () => {
    const option = (name: string, usual: unknown, more = {}) => ({ name, words: [`x.${name}`], default: usual, ...more });
    begin("friends", { options: [option("long", false), option("cap", 8, { least: 1, most: 20 }), option("rule", "a", { choices: ["a", "b"] })] as never });
    const [long] = target.querySelectorAll<HTMLInputElement>("details input[type=checkbox]");
    long!.checked = true;
    long!.dispatchEvent(new Event("change", { bubbles: true }));
    expect((await create())["options"]).toEqual({ long: true });
  });
  test.each([
    ["fast", { start: 300, gain: 3 }],
    ["calm", { start: 900, gain: 10 }],
    ["day", { days: 1 }],
    ["days", { days: 3 }],
  ])("a %s clock", async (kind, clock) => {
    begin("friends");
    const select = [...target.querySelectorAll("select")].find((one) => [...one.options].some((option) => option.value === kind))!;
    await pick(select, kind);
    expect((await create())["clock"]).toEqual(clock);
  });
  test("says what went wrong, and can be tried again", async () => {
    begin("friends");
    server.status = 400;
    server.answers = { "POST /api/tables": { code: "bad", sentence: "Not so." } };
    await create();
    expect([target.querySelector("[role=alert]")?.textContent, target.querySelector<HTMLButtonElement>(".start")?.disabled]).toEqual(["Not so.", false]);
  });
});

describe("an account", () => {
  const act = async (form: number) => {
    target.querySelectorAll("form")[form]?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
    await settle();
  };
  test("a new name is taken, and the window closes; a refusal is said", async () => {
    const onclose = vi.fn();
    server.answers = { "/api/me": { name: "Bo" }, "/api/games": [] };
    stage(Account, { onclose });
    expect(target.querySelector("input")?.value).toBe("Ida");
    await act(0);
    expect([server.asked[0], onclose.mock.calls.length, people.me?.name]).toEqual([{ method: "PUT", path: "/api/me", body: { name: "Ida" } }, 1, "Bo"]);
    await close();
    server.status = 400;
    server.answers = { "/api/me": { code: "bad", sentence: "No such name." } };
    stage(Account, { onclose });
    await act(0);
    expect([target.textContent?.includes("No such name."), onclose.mock.calls.length]).toEqual([true, 1]);
  });
});

describe("the rules of the house", () => {
  afterEach(() => (house.info = {}));
  const buttons = () => [...target.querySelectorAll("button")].map((one) => one.textContent?.trim());
  const options = (id: string) => [...target.querySelectorAll<HTMLOptionElement>(`${id} option`)].map((one) => one.textContent);

  test("where nobody may make an account nothing asks for one", () => {
    stage(Account, { onclose: () => {} });
    expect(buttons()).toContain("Make an account");
    house.info = { sign_up: "closed" };
    flushSync();
    expect(buttons()).not.toContain("Make an account");
    expect(buttons()).toContain("Sign in");
    expect(target.textContent).toContain("none are made here");
  });
  test("the class code is asked for, and sent with a new account only", async () => {
    server.answers = { "/api/me": { name: "Bo" }, "/api/games": [], "/api/account": { name: "Bo" }, "/api/session": { name: "Bo" } };
    house.info = { sign_up: "code" };
    stage(Account, { onclose: () => {} });
    const fill = (id: string, text: string) => {
      const field = target.querySelector<HTMLInputElement>(id)!;
      field.value = text;
      field.dispatchEvent(new Event("input"));
    };
    const press = async (value: string) => {
      const submitter = target.querySelector<HTMLButtonElement>(`button[value=${value}]`)!;
      submitter.form!.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
      await settle();
    };
    fill("#user", "ida");
    fill("#pass", "correct horse");
    await press("new");
    expect([posted(), target.querySelector("[role=alert]")?.textContent]).toEqual([undefined, "For a new account write the class code, too."]);
    fill("#code", " acorn ");
    await press("new");
    expect(posted()?.body).toEqual({ username: "ida", password: "correct horse", code: "acorn" });
    await press("in");
    expect(posted()).toMatchObject({ path: "/api/session", body: { username: "ida", password: "correct horse" } });
  });
  test("names come from the list, and one that is not on it is chosen anew", () => {
    house.info = { names: "list", name_list: ["Fox", "Owl"] };
    stage(Account, { onclose: () => {} });
    expect(options("#who")).toEqual(["Choose a name …", "Fox", "Owl"]);
    expect(target.querySelector<HTMLSelectElement>("#who")?.value).toBe("");
    people.me = { name: "Owl", username: "" } as never;
  });
  test("the house is asked for with who one is, and without an answer nothing changes", async () => {
    server.answers = { "/api/me": { name: "Bo" }, "/api/games": [], "/api/house": { chat: "off" } };
    await people.load();
    expect(house.chat).toBe("off");
    delete server.answers["/api/house"];
    await people.load();
    expect([house.chat, people.me?.name]).toEqual(["off", "Bo"]);
  });
});
