// @vitest-environment happy-dom
import { flushSync, tick } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { close, settle, stage, target } from "../test/stage";
import Dialog from "../lib/Dialog.svelte";
import { house } from "../lib/house.svelte";
import { people } from "../lib/people.svelte";
import { prefs } from "../lib/prefs.svelte";
import { place } from "../lib/place.svelte";
import { demo } from "../test/demos";
import { FakeServer, FakeSocket, update } from "../test/fakes";
import type { Event, Filling, GameInfo, Part, Scene, SeatInfo, TableInfo, Update, Words } from "../wire.gen";
import { createRawSnippet } from "svelte";
import TablePage from "./TablePage.svelte";

const seats: SeatInfo[] = [
  { seat: 0, kind: "person", name: "Ada", here: true },
  { seat: 1, kind: "person", name: "Bo", here: true },
];
const info: TableInfo = { id: "t1", game: "jumping-cups", title: ["jumping-cups.title"], seats, status: "playing", version: 1, options: {} };
const players = [
  { seat: 0, name: ["seat.red"] as Words, tint: "red", acts: true },
  { seat: 1, name: ["seat.yellow"] as Words, tint: "yellow" },
];
const scene: Scene = { ...demo("jumping-cups")[0]!.scene, status: ["jumping-cups.toMove", { who: ["seat.red", []] }], players };
/** A table where everybody has a place of their own. */
const king: Scene = { ...demo("cup-king")[0]!.scene, players };
const hand: Part = { id: "A:hand", cells: [{ spot: "A:R5", x: 0, y: 20, name: ["seat.red"], shape: "card" }], owner: 0, role: "hand", taking: "any-order" };
const filling = (more: Partial<Filling> = {}): Filling => ({ spots: ["A:a1"], pattern: "{}", suggestion: ["red"], kind: "bucket", how: ["x"], done: ["y"], ...more });
const moves = [
  { text: "5-6", spots: ["5", "6"] },
  { text: "1-off", spots: ["1", "off"], warning: ["jumping-cups.title"] as Words },
];
const event = (n: number, kind: Event["kind"], more: Partial<Event> = {}): Event => ({ n, kind, at: 0, ...more });

let server: FakeServer;

const text = () => target.textContent?.replace(/\s+/g, " ") ?? "";
const button = (name: string) => [...target.querySelectorAll("button")].find((one) => one.textContent?.trim() === name || one.getAttribute("aria-label") === name);
const press = (name: string) => {
  const found = button(name);
  expect(found, `a button ${name}`).toBeTruthy();
  found!.click();
  flushSync();
};
const sent = () => FakeSocket.last.sent.at(-1);
const key = (name: string, on: EventTarget = document.body, more: KeyboardEventInit = {}) => {
  const pressed = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more });
  on.dispatchEvent(pressed);
  flushSync();
  return pressed.defaultPrevented;
};

async function sit(yours: number[], more: Partial<Update> = {}, extra: Partial<TableInfo> = {}, address = "/t/t1") {
  history.replaceState(null, "", address);
  place.replace(address);
  stage(TablePage as never, { id: "t1" });
  FakeSocket.last.open();
  FakeSocket.last.say({ type: "welcome", table: { ...info, ...extra }, yours });
  await tell({ version: 1, events: [event(0, "start")], seat: yours[0] ?? null, asked: [0], moves, ...more });
}
async function tell(more: Partial<Update> & { version: number }) {
  FakeSocket.last.say(update({ scene, ...more }));
  await settle(350);
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  server.answers = { "/api/tables/t1": info, "/api/tables/t1/invites": [], "/api/tables/t1/keys": [] };
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  FakeSocket.all = [];
  HTMLDialogElement.prototype.showModal = function () {
    this.setAttribute("open", "");
  };
  people.games = [{ name: "jumping-cups", secrets: false } as GameInfo, { name: "cup-king", secrets: true, draws: false } as unknown as GameInfo];
  Object.defineProperty(window, "innerWidth", { value: 1200, configurable: true, writable: true });
});
afterEach(async () => {
  await close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a table", () => {
  test("is waited for, and then shown with its players, its board and what is asked", async () => {
    stage(TablePage as never, { id: "t1" });
    expect(target.querySelector("[role=status]")).toBeTruthy();
    await close();
    await sit([0]);
    expect(text()).toContain("Jumping Cups");
    expect(text()).toContain("Ada");
    expect(document.title).toBe("Your turn – Jumping Cups");
    expect(target.querySelectorAll("[data-spot]").length).toBe(14);
    await tell({ version: 1, seat: 0, asked: [1] });
    expect(document.title).toBe("Jumping Cups");
    const heading = target.querySelector(".asked strong");
    expect(heading).toBe(null);
  });
  test("a token in the address is told to the server, another anchor is not", async () => {
    await sit([0], {}, {}, "/t/t1#abcdefgh");
    expect(FakeSocket.last.sent[0]).toMatchObject({ tokens: ["abcdefgh"], watch: false });
    await close();
    await sit([0], {}, {}, "/t/t1?watch#short");
    expect(FakeSocket.last.sent[0]).toMatchObject({ tokens: [], watch: true });
  });
  test("leaving it closes the line", async () => {
    await sit([0]);
    await close();
    expect(FakeSocket.last.closed).toBe(1);
  });
  test("a move is entered on the board", async () => {
    await sit([0]);
    const spot = (name: string) => target.querySelector(`[data-spot="${name}"]`)!;
    spot("5").dispatchEvent(new MouseEvent("click", { detail: 0, bubbles: true }));
    flushSync();
    press("Let go");
    expect(target.querySelector(".taken")).toBe(null);
    spot("5").dispatchEvent(new MouseEvent("click", { detail: 0, bubbles: true }));
    flushSync();
    spot("6").dispatchEvent(new MouseEvent("click", { detail: 0, bubbles: true }));
    flushSync();
    expect(sent()).toMatchObject({ type: "move", text: "5-6" });
    expect(target.querySelectorAll(".movable").length, "nothing can be picked while a move is under way").toBe(0);
  });
  test("a risky move is asked about", async () => {
    await sit([0], { scene: { ...scene, controls: [{ spot: "off", text: ["jumping-cups.title"] }, { spot: "other", text: ["x"] }] } });
    expect(target.querySelector("[data-spot=off]")).toBe(null);
    target.querySelector(`[data-spot="1"]`)!.dispatchEvent(new MouseEvent("click", { detail: 0, bubbles: true }));
    flushSync();
    const control = target.querySelector<HTMLButtonElement>(".asked [data-spot=off]")!;
    expect(control.className).toBe("danger");
    control.click();
    await settle();
    expect(FakeSocket.last.latest("move")).toBe(undefined);
    const dialog = target.querySelector("dialog")!;
    dialog.querySelector<HTMLButtonElement>("button.danger")!.click();
    await settle();
    expect(sent()).toMatchObject({ type: "move", text: "1-off" });
    expect(target.querySelector("dialog")).toBe(null);
  });
  test("keys: help, hint, board, and stepping; but not while writing or with a window open", async () => {
    await sit([0]);
    server.answers["/api/tables/t1/scenes"] = [{ version: 0, scene }, { version: 1, scene }];
    expect(key("x")).toBe(false);
    expect(key("h")).toBe(true);
    expect(sent()).toMatchObject({ type: "hint" });
    expect(key("h", document.body, { ctrlKey: true })).toBe(false);
    const input = target.querySelector("input")!;
    expect(key("h", input)).toBe(false);
    expect(key("b")).toBe(true);
    await settle();
    expect(document.activeElement?.getAttribute("data-spot")).toBe("5");
    expect(key("ArrowLeft", document.body)).toBe(true);
    await settle();
    expect(target.querySelector(".asked")?.textContent).toContain("Looking back.");
    expect(key("ArrowRight")).toBe(true);
    await settle();
    expect(target.querySelector(".asked")?.textContent).not.toContain("Looking back.");
    expect(key("k")).toBe(true);
    expect(target.querySelector("dialog")).toBeTruthy();
    const before = FakeSocket.last.sent.length;
    expect([key("h"), FakeSocket.last.sent.length]).toEqual([false, before]);
    target.querySelector<HTMLButtonElement>("dialog header button")!.click();
    flushSync();
    server.answers["/api/games/jumping-cups/rulebook"] = { language: "en", intro: [], groups: [] };
    expect(key("?")).toBe(true);
    await vi.waitFor(() => expect(target.querySelector("dialog")).toBeTruthy(), 10_000);
  });
  test("arrow keys go one step at a time", async () => {
    await sit([0], { version: 4, events: [1, 2, 3].map((n) => event(n, "move", { seat: 0, text: "5-6" })) });
    server.answers["/api/tables/t1/scenes"] = [0, 1, 2, 3, 4].map((version) => ({ version, scene: { ...scene, status: ["plain", { text: `scene ${version}` }] } }));
    const seen = async (name: string) => {
      key(name);
      await settle();
      return /scene \d/.exec(target.querySelector(".asked")!.textContent!)?.[0];
    };
    expect([await seen("ArrowLeft"), await seen("ArrowLeft"), await seen("ArrowLeft"), await seen("ArrowRight")]).toEqual(["scene 3", "scene 2", "scene 1", "scene 2"]);
    expect(target.querySelectorAll("ol .move.current").length).toBe(1);
  });
  test.each([[0, 3], [639, 2], [640, 3], [899, 3], [900, 3], [1200, 3]])("on a page %d wide the others are drawn where there is room", async (wide, parts) => {
    Object.defineProperty(window, "innerWidth", { value: wide, configurable: true, writable: true });
    await sit([0], { scene: { ...king, parts: [...king.parts, hand] }, moves: [], filling: filling() }, { game: "cup-king" });
    expect(target.querySelectorAll(".frame").length).toBe(parts);
  });
  test("the tools: a take-back, a draw, giving up after a question", async () => {
    await sit([0]);
    press("Hint");
    expect(sent()).toMatchObject({ type: "hint" });
    press("Take back");
    expect(sent()).toMatchObject({ type: "offer", what: "takeback" });
    press("Offer a draw");
    expect(sent()).toMatchObject({ type: "offer", what: "draw" });
    press("Resign");
    expect(sent()).toMatchObject({ type: "offer" });
    target.querySelector<HTMLButtonElement>("dialog button.danger")!.click();
    flushSync();
    expect([sent()?.["type"], target.querySelector("dialog")]).toEqual(["resign", null]);
  });
  test("an offer is answered by the one who is asked", async () => {
    await sit([1], { seat: 1, offers: [{ what: "draw", seat: 0, waits: [1] }] });
    press("Yes");
    expect(sent()).toMatchObject({ type: "answer", what: "draw", yes: true, seat: 1 });
    await tell({ version: 1, seat: 1, offers: [{ what: "draw", seat: 1, waits: [0] }] });
    expect(button("Yes")).toBe(undefined);
  });
  test("chat: what is said is seen, and said", async () => {
    await sit([0], { events: [event(0, "chat", { seat: 1, text: "good luck" })] });
    expect(text()).toContain("Bo good luck");
    const input = target.querySelector<HTMLInputElement>("form input[maxlength='500']")!;
    const send = () => {
      const submit = new SubmitEvent("submit", { bubbles: true, cancelable: true });
      input.form!.dispatchEvent(submit);
      flushSync();
      return submit.defaultPrevented;
    };
    input.value = "  ";
    input.dispatchEvent(new Event("input"));
    expect(send()).toBe(true);
    expect(FakeSocket.last.latest("chat")).toBe(undefined);
    input.value = " thanks ";
    input.dispatchEvent(new Event("input"));
    send();
    expect([sent(), input.value]).toMatchObject([{ type: "chat", text: "thanks" }, ""]);
  });
  test("whoever sits down chooses a name from the list, where there is one", async () => {
    house.info = { names: "list", name_list: ["Fox", "Owl"] };
    people.me = { name: "Guest", username: "" } as never;
    await sit([], { status: "waiting" }, { status: "waiting", seats: [seats[0]!, { seat: 1, kind: "free" }] });
    const field = target.querySelector<HTMLSelectElement>("select#sit")!;
    expect([field.value, [...field.options].map((one) => one.text)]).toEqual(["", ["Choose a name …", "Fox", "Owl"]]);
    house.info = {};
  });
  test("where only phrases may be said there are buttons for them, and everybody reads them in their language", async () => {
    house.info = { chat: "phrases", phrases: ["hello", "thanks"] };
    await sit([0], { events: [event(0, "phrase", { seat: 1, text: "luck", words: ["phrase.luck"] }), event(1, "chat", { seat: 1, text: "before" })], version: 2 });
    expect(text()).toContain("Bo Good luck and have fun!");
    expect(text()).toContain("Bo before");
    expect(target.querySelector("input[maxlength='500']")).toBe(null);
    press("Thank you!");
    expect(sent()).toMatchObject({ type: "phrase", phrase: "thanks" });
    await close();
    house.info = { chat: "off", phrases: ["hello", "thanks"] };
    await sit([0], { events: [event(0, "chat", { seat: 1 })], version: 1 });
    expect(target.querySelector("#chat")).toBe(null);
    house.info = {};
  });
  test("with bots alone there is nobody to talk to, and who watches cannot", async () => {
    await sit([0], {}, { seats: [seats[0]!, { seat: 1, kind: "bot", name: "Oak", level: "oak" }] });
    expect(target.querySelector("input[maxlength='500']")).toBe(null);
    await close();
    await sit([]);
    expect(target.querySelector("input[maxlength='500']")).toBe(null);
    expect([button("Hint"), button("Resign")]).toEqual([undefined, undefined]);
  });
});

describe("players", () => {
  test("who is away, a bot, or free; and clocks that run", async () => {
    const many: SeatInfo[] = [{ ...seats[0]!, here: false }, { seat: 1, kind: "bot", name: "Oak", here: true }];
    vi.setSystemTime(1_000_000);
    await sit([1], { times: { left: [60_000, 19_999], running: [0] } }, { seats: many });
    const clocks = () => [...target.querySelectorAll("[role=timer]")].map((one) => one.textContent);
    expect(clocks()).toEqual(["0:59", "0:19"]);
    expect([...target.querySelectorAll("[role=timer]")].map((one) => one.classList.contains("short"))).toEqual([false, true]);
    await settle(2000);
    expect(clocks()).toEqual(["0:57", "0:19"]);
    await tell({ version: 1, seat: 1, times: { left: [60_000, 20_000], running: [] } });
    expect(clocks()).toEqual(["1:00", "0:20"]);
    await settle(2000);
    expect(clocks()).toEqual(["1:00", "0:20"]);
    expect(target.querySelector(".short")).toBe(null);
    const lines = [...target.querySelectorAll(".round li")];
    expect(lines.map((one) => one.querySelectorAll(".note").length)).toEqual([1, 0]);
    expect(lines.map((one) => one.querySelector(".bot") !== null)).toEqual([false, true]);
    expect(lines.map((one) => one.className.includes("acts"))).toEqual([true, false]);
    expect(lines.map((one) => one.className.includes("you"))).toEqual([false, true]);
  });
  test("no clock, no time", async () => {
    await sit([0]);
    expect(target.querySelector("[role=timer]")).toBe(null);
  });
});

describe("what is asked", () => {
  test("who is new to a game is told what to do, and after two moves whose turn it is", async () => {
    localStorage.clear();
    prefs.moves = {};
    await sit([0]);
    const asked = () => target.querySelector(".asked .status")?.textContent ?? "";
    await tell({ version: 1, seat: 0, asked: [0], scene: { ...scene, advice: ["plain", { text: "Tap a cup." }] } });
    expect(asked()).toContain("Tap a cup.");
    prefs.moves = { "jumping-cups": 2 };
    await settle();
    expect(asked()).not.toContain("Tap a cup.");
    prefs.moves = {};
    await tell({ version: 2, seat: 0, asked: [1], scene: { ...scene, advice: ["plain", { text: "Tap a cup." }] } });
    expect(asked()).not.toContain("Tap a cup.");
  });
  test("on a small screen the tools are in a bar, what is used less behind a button, and the list of moves is folded", async () => {
    window.innerWidth = 360;
    await sit([0]);
    const names = () => [...target.querySelectorAll("[role=toolbar] button")].map((one) => one.textContent?.trim());
    expect(names()).toEqual(["Hint", "Take back", "Rules", "More"]);
    expect(target.querySelector("ol")).toBe(null);
    press("Moves");
    await settle();
    expect(target.querySelector("ol")).toBeTruthy();
    press("More");
    await settle();
    const dialog = target.querySelector("dialog[open]")!;
    expect(dialog.textContent).toContain("Resign");
    expect(dialog.textContent).toContain("Links");
  });
});

describe("the moves", () => {
  const move = (n: number, seat: number, text: string, short?: string) => event(n, "move", { seat, text, ...(short === undefined ? {} : { short }) });
  const listed = () => [...target.querySelectorAll("ol .move")].map((one) => [one.querySelector(".text")?.textContent, one.classList.contains("current")]);

  test("are listed as short as they may be, without those that have no text; the last is the present one", async () => {
    await sit([0], { version: 5, events: [move(0, -1, "lot-A"), move(1, -1, "deal-A:R5", ""), move(2, 0, "build-A:RR/B", "build-A"), move(3, 1, "10-9"), event(4, "chat")] });
    expect(listed()).toEqual([["lot-A", false], ["build-A", false], ["10-9", true]]);
    expect([...target.querySelectorAll("ol .nature")].length).toBe(1);
  });
  test("one that is chosen is shown, and marked as the present one", async () => {
    await sit([0], { version: 3, events: [event(0, "start"), move(1, 0, "5-6"), move(2, 1, "10-9")] });
    server.answers["/api/tables/t1/scenes"] = [{ version: 1, scene }, { version: 2, scene }, { version: 3, scene }];
    target.querySelector<HTMLButtonElement>("ol .move")!.click();
    await settle();
    expect(listed()).toEqual([["5-6", true], ["10-9", false]]);
    press("Back to now");
    expect(listed()).toEqual([["5-6", false], ["10-9", true]]);
  });
});

describe("the end", () => {
  const over = (winners: number[]) => ({ status: "over" as const, asked: [], outcome: { winners, seats: 3, reason: "x", sentence: ["turn.over", []] as Words } });
  const headline = async (yours: number[], winners: number[]) => {
    await sit(yours, over(winners), { status: "over" });
    const found = target.querySelector("aside section h2")?.textContent;
    await close();
    return found;
  };
  test("is told to whom it concerns", async () => {
    const heard = [];
    for (const [yours, winners] of [[[0], [0]], [[0], [1]], [[0], [0, 1]], [[0], []], [[2], [0, 1]]] as const) heard.push(await headline([...yours], [...winners]));
    expect(heard).toEqual(["You win!", "Bo wins", "You share the win", "Nobody wins", "Ada and Bo share the win"]);
    expect([await headline([], [1]), await headline([], [0, 1]), await headline([0, 1], [1])]).toEqual(["Bo wins", "Ada and Bo share the win", "Bo wins"]);
  });
  test("a rematch is asked for once, by those who played", async () => {
    await sit([0], over([0]), { status: "over" });
    press("Play again");
    expect(sent()).toMatchObject({ type: "offer", what: "rematch" });
    await tell({ version: 2, ...over([0]), events: [event(1, "rematch", { text: "t2" })] });
    expect([button("Play again"), target.querySelector("a[href='/t/t2']") !== null]).toEqual([undefined, true]);
  });
  test("a rematch that was agreed on begins by itself, and keeps the seat's link", async () => {
    const agreed = { version: 2, ...over([0]), events: [event(1, "rematch", { text: "t2" })] };
    await sit([0], over([0]), { status: "over" });
    await tell(agreed);
    expect(location.pathname).toBe("/t/t2");
    await close();
    await sit([0], over([0]), { status: "over" }, "/t/t1?hand#abcdefgh12");
    await tell(agreed);
    expect(location.pathname + location.search + location.hash).toBe("/t/t2?hand#abcdefgh12");
  });
  test("who looks on gets a link to the rematch, and so does who comes back to the old table", async () => {
    const agreed = [event(1, "rematch", { text: "t2" })];
    const there = () => [location.pathname, target.querySelector("a[href='/t/t2']") !== null];
    await sit([], over([0]), { status: "over" });
    await tell({ version: 2, ...over([0]), events: agreed });
    expect(there()).toEqual(["/t/t1", true]);
    await close();
    await sit([0], { ...over([0]), version: 2, events: [event(0, "start"), ...agreed] }, { status: "over", rematch: "t2" });
    expect(there()).toEqual(["/t/t1", true]);
  });
});

describe("chat", () => {
  test("lines of others are counted until the chat is seen; one's own are not", async () => {
    let see: (is: boolean) => void = () => {};
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
          see = (is) => told([{ isIntersecting: is }]);
        }
        observe() {}
        disconnect() {}
      },
    );
    await sit([0]);
    await tell({ version: 2, events: [event(1, "chat", { seat: 0, text: "hello" })] });
    expect(button("1 new line of chat")).toBeUndefined();
    await tell({ version: 4, events: [2, 3].map((n) => event(n, "chat", { seat: 1, text: "hi" })) });
    expect(button("2 new lines of chat")).toBeTruthy();
    see(true);
    await settle();
    expect(button("2 new lines of chat")).toBeUndefined();
  });
});

describe("sitting down", () => {
  const waiting: Partial<TableInfo> = { status: "waiting", seats: [seats[0]!, { seat: 1, kind: "free", invited: true }, { seat: 2, kind: "free" }] };
  const sitDown = async (name: string) => {
    const input = target.querySelector<HTMLInputElement>("#sit")!;
    input.value = name;
    input.dispatchEvent(new Event("input"));
    flushSync();
    input.form!.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
    await settle();
  };
  const asked = () => server.asked.filter((one) => one.method === "POST").map((one) => [one.path, one.body]);

  test("by an invite on the seat kept for it, first", async () => {
    await sit([], { status: "waiting" }, waiting, "/t/t1?invite=xyz");
    server.answers["POST /api/tables/t1/seats/1"] = { table: info, key: { seat: 1, token: "mine" } };
    await sitDown(" Cy ");
    expect(asked()).toEqual([["/api/tables/t1/seats/1", { invite: "xyz", name: "Cy" }]]);
    expect(place.query.has("invite")).toBe(false);
    await settle(300);
    FakeSocket.last.open();
    expect(sent()).toMatchObject({ type: "hello", tokens: ["mine"] });
  });
  test("without one on a seat for everybody only", async () => {
    await sit([], { status: "waiting" }, waiting);
    server.answers["POST /api/tables/t1/seats"] = { table: info, key: { seat: 2, token: "mine" } };
    await sitDown("Cy");
    expect(asked()).toEqual([["/api/tables/t1/seats/2", { name: "Cy" }]]);
  });
  test("a taken seat leads to the next, another refusal is said", async () => {
    await sit([], { status: "waiting" }, waiting, "/t/t1?invite=xyz");
    server.status = 409;
    server.answers["POST /api/tables/t1/seats"] = { code: "seat-taken", sentence: "Taken." };
    await sitDown("Cy");
    expect([asked().length, target.querySelector("[role=alert]")?.textContent]).toEqual([2, "Taken."]);
    server.answers["POST /api/tables/t1/seats"] = { code: "too-many", sentence: "Slower." };
    await sitDown("Cy");
    expect([asked().length, target.querySelector("[role=alert]")?.textContent]).toEqual([3, "Slower."]);
  });
  test("not for those who sit, who watch, or where no seat is free", async () => {
    await sit([0], { status: "waiting" }, waiting);
    expect(target.querySelector("#sit")).toBe(null);
    await close();
    await sit([], { status: "waiting" }, waiting, "/t/t1?watch");
    expect(target.querySelector("#sit")).toBe(null);
    await close();
    await sit([], { status: "waiting" }, { ...waiting, seats: waiting.seats!.slice(0, 2) });
    expect(target.querySelector("#sit")).toBe(null);
  });
  test("the links to send: an invite, the table, and one's own seats", async () => {
    server.answers["/api/tables/t1/invites"] = [{ seat: 1, invite: "i1" }, { seat: 2, invite: "i2" }];
    server.answers["/api/tables/t1/keys"] = [{ seat: 0, token: "k0" }];
    await sit([0], { status: "waiting" }, waiting);
    await settle();
    const links = () => [...target.querySelectorAll("aside .link")].map((one) => one.querySelector("p")?.textContent);
    expect(links().length).toBe(3);
    expect([...target.querySelectorAll("aside .link")].map((one) => one.querySelector("button")!.classList.contains("primary"))).toEqual([true, false, false]);
    const shown = target.querySelector<HTMLInputElement>("aside input[readonly]")!;
    expect(shown.value).toBe(`${location.origin}/t/t1?invite=i1`);
    const copy = vi.fn(() => Promise.resolve());
    vi.stubGlobal("navigator", { clipboard: { writeText: copy } });
    target.querySelector<HTMLButtonElement>("aside .link button")!.click();
    await settle();
    expect(copy).toHaveBeenCalledWith(`${location.origin}/t/t1?invite=i1`);
    expect(target.querySelector("aside .link button")?.textContent?.trim()).toBe("Copied");
  });
});

describe("one screen for two", () => {
  const secret: Partial<TableInfo> = { game: "cup-king" };

  test("a hand waits behind a curtain until the one who is asked opens it", async () => {
    await sit([0, 1], { scene: king, moves: [] }, secret);
    expect(target.querySelectorAll("[data-spot]").length).toBe(0);
    target.querySelector<HTMLButtonElement>(".curtain button")!.click();
    flushSync();
    expect(target.querySelectorAll("[data-spot]").length).toBeGreaterThan(20);
    await tell({ version: 1, seat: 1, asked: [1] });
    expect(target.querySelector(".curtain")).toBeTruthy();
    await tell({ version: 1, seat: 1, status: "over" });
    expect(target.querySelector(".curtain")).toBe(null);
  });
  test("there is none for one seat, for a game without secrets, or for who watches", async () => {
    await sit([0], { scene: king, moves: [] }, secret);
    expect(target.querySelector(".curtain")).toBe(null);
    await close();
    await sit([0, 1]);
    expect(target.querySelector(".curtain")).toBe(null);
    await close();
    people.games = [];
    await sit([0, 1]);
    expect(target.querySelectorAll("[data-spot]").length, "an unknown game may have secrets").toBe(0);
  });
  test("looks from the seat that is asked", async () => {
    await sit([0, 1], { seat: 0, asked: [1] });
    expect(sent()).toEqual({ type: "look", seat: 1 });
  });
  test("building: two places exchange what is on them, and what was built is sent", async () => {
    const plan = filling({ spots: ["A:a1", "A:a2"], pattern: "build-A:{}{}", suggestion: ["red", "blue"] });
    await sit([0], { scene: king, moves: [], filling: plan }, secret);
    for (const spot of ["A:a1", "A:a2"]) {
      target.querySelector(`[data-spot="${spot}"]`)!.dispatchEvent(new MouseEvent("click", { detail: 0, bubbles: true }));
      flushSync();
    }
    target.querySelector<HTMLButtonElement>(".asked button.primary")!.click();
    expect(sent()).toMatchObject({ type: "move", text: "build-A:BR" });
  });
});

describe("a window over the page", () => {
  test("closes by a click beside it and not by one in it", () => {
    const onclose = vi.fn();
    stage(Dialog as never, { title: "x", onclose, children: createRawSnippet(() => ({ render: () => "<p>in</p>" })) });
    const dialog = target.querySelector("dialog")!;
    dialog.getBoundingClientRect = () => ({ left: 10, right: 20, top: 30, bottom: 40 }) as DOMRect;
    const click = (x: number, y: number, detail = 1) => dialog.dispatchEvent(new MouseEvent("click", { bubbles: true, detail, clientX: x, clientY: y }));
    for (const [x, y] of [[10, 30], [20, 40], [15, 35]]) click(x!, y!);
    click(9, 35, 0);
    dialog.querySelector("p")!.dispatchEvent(new MouseEvent("click", { detail: 1, bubbles: true, clientX: 0, clientY: 0 }));
    expect(onclose).not.toHaveBeenCalled();
    expect(dialog.hasAttribute("open")).toBe(true);
    for (const [x, y] of [[9, 35], [21, 35], [15, 29], [15, 41]]) click(x!, y!);
    expect(onclose).toHaveBeenCalledTimes(4);
  });
});
