// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as sounds from "../lib/sound";
import { FakeServer, FakeSocket, update } from "../test/fakes";
import type { Event, Filling, Part, Scene, SeatInfo, TableInfo, Update, Words } from "../wire.gen";
import { Table } from "./table.svelte";

const seats: SeatInfo[] = [
  { seat: 0, kind: "person", name: "Ada", here: true },
  { seat: 1, kind: "person", name: "Bo" },
];
const info: TableInfo = { id: "t1", game: "jumping-cups", title: ["jumping-cups.title"], seats, status: "playing", version: 1, options: {} };
const place = (spot: string, like = "") => ({ spot, x: 0, y: 0, name: ["seat.red"] as Words, like });
const board: Part = { id: "board", cells: ["1", "2", "3", "4", "A:c1"].map((spot) => place(spot)) };
const hand: Part = { id: "A:hand", cells: [place("A:R5"), place("A:R7"), place("A:R7'", "A:R7"), place("A:B2")], owner: 0, role: "hand", taking: "any-order" };
const players = [
  { seat: 0, name: ["seat.red"] as Words, tint: "red" },
  { seat: 1, name: ["seat.yellow"] as Words, tint: "yellow" },
];
const scene: Scene = { title: ["jumping-cups.title"], status: ["jumping-cups.toMove", { who: ["seat.red", []] }], parts: [board, hand], players };
const moves = [
  { text: "1-2", spots: ["1", "2"] },
  { text: "1-3", spots: ["1", "3"] },
  { text: "2-off", spots: ["2", "off"], warning: ["jumping-cups.warning"] as Words },
  { text: "A:R5!", spots: ["A:R5", "confirm"] },
  { text: "A:R5+R7!", spots: ["A:R5", "A:R7", "confirm"] },
];
const event = (n: number, kind: Event["kind"], more: Partial<Event> = {}): Event => ({ n, kind, at: 0, ...more });

let server: FakeServer;
let table: Table;
let played: string[];

/** What the server says first to somebody who holds these seats. */
function welcome(yours: number[], more: Partial<Update> = {}, extra: Partial<TableInfo> = {}) {
  FakeSocket.last.open();
  FakeSocket.last.say({ type: "welcome", table: { ...info, ...extra }, yours });
  const first = { version: 1, events: [event(0, "start")], scene, seat: yours[0] ?? null, asked: [0], moves };
  FakeSocket.last.say(update({ ...first, ...more }));
  flushSync();
}
/** The server tells more, and the piece has landed. */
async function tell(more: Partial<Update> & { version: number }) {
  FakeSocket.last.say(update({ scene, ...more }));
  await vi.advanceTimersByTimeAsync(350);
  flushSync();
}
const sent = () => FakeSocket.last.sent.at(-1);

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  server.answers = { "/api/tables/t1": info };
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  played = [];
  vi.spyOn(sounds, "play").mockImplementation((what) => void played.push(what));
  table = new Table("t1", ["secret"], false);
});
afterEach(() => {
  table.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("coming and going", () => {
  test("says who it is and what it has, and after a cut says it anew", async () => {
    expect(FakeSocket.last.url).toMatch(/\/api\/tables\/t1\/socket$/);
    FakeSocket.last.open();
    expect(sent()).toEqual({ type: "hello", tokens: ["secret"], version: 0, watch: false });
    expect(table.link).toBe("connecting");
    welcome([0]);
    expect(table.link).toBe("live");
    await tell({ version: 4, events: [1, 2, 3].map((n) => event(n, "chat", { seat: 0, text: "x" })) });
    FakeSocket.last.close();
    expect(table.link).toBe("lost");
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(sent()).toEqual({ type: "hello", tokens: ["secret"], version: 4, watch: false });
  });
  test("a table that is not there is gone; a server that is away is waited for", async () => {
    server.answers = {};
    const missing = new Table("t2", [], true);
    await vi.advanceTimersByTimeAsync(0);
    expect(missing.gone).toBe("");
    missing.close();
    server.status = 404;
    server.answers = { "/api/tables/t3": { code: "unknown-table", sentence: "No such table." } };
    const gone = new Table("t3", [], true);
    await vi.advanceTimersByTimeAsync(0);
    expect(gone.gone).toBe("No such table.");
    FakeSocket.last.open();
    expect(sent()).toMatchObject({ watch: true, tokens: [] });
    gone.close();
  });
  test("holding a seat more says hello anew with both tokens", () => {
    welcome([0]);
    table.hold("another");
    vi.advanceTimersByTime(300);
    FakeSocket.last.open();
    expect(sent()).toMatchObject({ type: "hello", tokens: ["secret", "another"] });
  });
  test("closing ends the connection", () => {
    welcome([0]);
    table.close();
    expect(FakeSocket.last.closed).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all.length).toBe(1);
  });
  test("who is there and how many look on is told", () => {
    welcome([0], {}, { watching: 3 });
    expect([table.seats, table.watching, table.yours]).toEqual([seats, 3, [0]]);
    FakeSocket.last.say({ type: "seats", seats: [seats[1]!], watching: 1 });
    expect([table.seats, table.watching]).toEqual([[seats[1]], 1]);
    FakeSocket.last.say({ type: "seats", seats });
    expect(table.watching).toBe(0);
    welcome([0]);
    expect(table.watching).toBe(0);
  });
  test("what was under way when the line was cut is forgotten", () => {
    welcome([0]);
    table.pick("1");
    table.make("1-2");
    expect(table.waiting).toBe(true);
    table.picked = ["1"];
    FakeSocket.last.say({ type: "welcome", table: info, yours: [0] });
    expect([table.waiting, table.picked]).toEqual([false, []]);
  });
});

describe("picking", () => {
  beforeEach(() => welcome([0]));

  test("a piece, then its target, makes the move", () => {
    expect(table.mayAct).toBe(true);
    expect([...table.entry.next]).toEqual(["1", "2", "A:R5", "A:R7", "A:R7'"]);
    table.pick("1");
    expect([table.picked, played]).toEqual([["1"], ["take"]]);
    expect([...table.entry.next]).toEqual(["2", "3"]);
    table.pick("3");
    expect(sent()).toEqual({ type: "move", text: "1-3", version: 1, id: 1 });
    expect([table.picked, table.waiting]).toEqual([[], true]);
    table.pick("1");
    table.pick("2");
    expect(sent()).toMatchObject({ text: "1-2", id: 2 });
  });
  test("the same piece again puts it down, another takes its place", () => {
    table.pick("1");
    table.pick("1");
    expect(table.picked).toEqual([]);
    table.pick("2");
    table.pick("1");
    expect(table.picked).toEqual(["1"]);
    table.drop();
    expect(table.picked).toEqual([]);
  });
  test("a risky move waits for a yes", () => {
    table.pick("2");
    table.pick("off");
    expect([table.doubtful?.text, FakeSocket.last.latest("move")]).toEqual(["2-off", undefined]);
    table.drop();
    expect(table.doubtful).toBe(null);
    table.pick("2");
    table.pick("off");
    table.make(table.doubtful!.text);
    expect([table.doubtful, sent()]).toMatchObject([null, { text: "2-off" }]);
  });
  test("the only move is not asked about, however risky", async () => {
    await tell({ version: 2, events: [event(1, "move", { seat: 1 })], seat: 0, asked: [0], moves: [moves[2]!] });
    table.pick("2");
    table.pick("off");
    expect([table.doubtful, sent()]).toMatchObject([null, { type: "move", text: "2-off" }]);
  });
  test("cards are taken in any order and put back one by one", () => {
    table.pick("A:R7");
    expect(table.picked).toEqual(["A:R7"]);
    table.pick("A:R5");
    expect(table.picked).toEqual(["A:R7", "A:R5"]);
    table.pick("A:R7");
    expect(table.picked).toEqual(["A:R5"]);
    table.pick("confirm");
    expect(sent()).toMatchObject({ text: "A:R5!" });
  });
  test("a card after a piece, and a piece after a card, begins anew", () => {
    table.pick("1");
    table.pick("A:R5");
    expect(table.picked).toEqual(["A:R5"]);
    table.pick("1");
    expect(table.picked).toEqual(["1"]);
  });
  test("what leads nowhere is asked of the server, which says why not", () => {
    table.pick("1");
    table.pick("4");
    expect([sent(), table.picked]).toEqual([{ type: "why", spots: ["1", "4"], id: 1 }, []]);
    expect(table.waiting).toBe(false);
    table.pick("A:c1");
    expect(sent()).toMatchObject({ spots: ["A:c1"] });
    table.pick("A:B2");
    expect(sent()).toMatchObject({ spots: ["A:B2"] });
    expect(FakeSocket.last.latest("move")).toBe(undefined);
  });
  test("of what is in the hand only what goes with it is asked about", () => {
    table.pick("A:R7");
    table.pick("A:B2");
    expect([sent(), table.picked]).toMatchObject([{ spots: ["A:R7", "A:B2"] }, []]);
    table.pick("A:R5");
    table.pick("4");
    expect([sent(), table.picked]).toMatchObject([{ spots: ["4"] }, []]);
  });
  test("with two seats it says for which one it asks", () => {
    welcome([0, 1], { seat: 0 });
    table.pick("4");
    expect(sent()).toMatchObject({ type: "why", seat: 0 });
  });
  test("a hint shows its whole way, stays while it is followed, and goes when something else is picked", () => {
    FakeSocket.last.say({ type: "hint", version: 1, seat: 0, move: moves[0]! });
    expect([table.hinted, table.says?.text, table.news]).toEqual([["1", "2"], "A bot would play: 1-2.", "Hint: 1-2."]);
    expect(table.hintedWay).toEqual(["1", "2"]);
    table.pick("1");
    expect(table.hinted).toEqual(["1", "2"]);
    table.pick("A:B2");
    expect([table.hinted, table.hintedWay]).toEqual([[], []]);
    FakeSocket.last.say({ type: "hint", version: 1, seat: 0, move: { ...moves[0]!, via: ["4"] } });
    expect(table.hintedWay).toEqual(["1", "4", "2"]);
    FakeSocket.last.say({ type: "hint", version: 1, seat: 0, move: moves.find(({ spots }) => spots[0] === "A:R5")! });
    expect(table.hintedWay, "cards of a hand do not travel along a line").toEqual([]);
  });
  test("a refusal is said, and nothing is under way any more", () => {
    table.make("1-2");
    table.picked = ["1"];
    FakeSocket.last.say({ type: "refused", code: "illegal-move", sentence: "Not so." });
    expect([table.waiting, table.picked, table.says]).toEqual([false, [], { text: "Not so.", tone: "danger" }]);
    FakeSocket.last.say({ type: "refused", code: "x", sentence: "Not so.", words: ["turn.over", []] });
    expect(table.says?.text).toBe("The game is over.");
    expect(table.gone).toBe("");
    FakeSocket.last.say({ type: "refused", code: "unknown-table", sentence: "No table." });
    expect(table.gone).toBe("No table.");
  });
  test("what is said goes away after six seconds", () => {
    table.say("one");
    vi.advanceTimersByTime(5000);
    table.say("two");
    vi.advanceTimersByTime(5999);
    expect(table.says).toEqual({ text: "two", tone: "quiet" });
    vi.advanceTimersByTime(1);
    expect(table.says).toBe(null);
  });
});

describe("not now", () => {
  const why = (yours: number[], more: Partial<Update>) => {
    welcome(yours, more);
    table.pick("1");
    return table.says?.text;
  };
  test("the turn of another", () => expect(why([0], { asked: [1] })).toBe("It is the turn of Bo."));
  test("of several others", () => expect(why([0], { asked: [1, 0], seat: null })).toBe("It is the turn of Bo and Ada."));
  test("the game is over", () => expect(why([0], { status: "over" })).toBe("The game is over."));
  test("it has not begun", () => expect(why([0], { status: "waiting" })).toBe("The game begins when all have sat down."));
  test("one only looks on", () => expect(why([], {})).toBe("You are watching."));
  test("one looks back", async () => {
    welcome([0]);
    server.answers["/api/tables/t1/scenes"] = [{ version: 0, scene }, { version: 1, scene }];
    await table.steps.go(-1, 1);
    flushSync();
    expect(table.entry.next.size).toBe(0);
    table.pick("1");
    expect([table.says?.text, table.picked]).toEqual(["You are looking back. Go to now to play.", []]);
  });
  test("no hint without a turn, none without a line", async () => {
    welcome([0], { asked: [1] });
    table.hint();
    expect([FakeSocket.last.latest("hint"), table.says?.text]).toEqual([undefined, "It is the turn of Bo."]);
    await tell({ version: 1, seat: 0, asked: [0] });
    table.hint();
    expect([sent(), table.says?.text]).toEqual([{ type: "hint", id: 1 }, "Thinking …"]);
    FakeSocket.last.readyState = 3;
    table.hint();
    expect(table.says).toEqual({ text: "The line is cut: nothing was sent.", tone: "danger" });
    table.offer("draw");
    expect(table.says?.tone).toBe("danger");
  });
});

describe("asking", () => {
  test("with one seat the server knows whose words they are", () => {
    welcome([1], { seat: 1 });
    table.offer("draw");
    expect([sent(), table.says?.text]).toEqual([{ type: "offer", what: "draw", id: 1 }, "You offer a draw."]);
    table.answer("takeback", false, 1);
    expect(sent()).toEqual({ type: "answer", what: "takeback", yes: false, seat: 1, id: 2 });
    table.resign();
    expect(sent()).toEqual({ type: "resign", id: 3 });
    table.chat("hello");
    expect(sent()).toEqual({ type: "chat", text: "hello", id: 4 });
  });
  test("with two seats it says which", async () => {
    welcome([0, 1], { seat: 1 });
    table.offer("takeback");
    expect(sent()).toMatchObject({ seat: 1 });
    table.resign();
    expect(sent()).toMatchObject({ seat: 1, id: 2 });
    table.chat("x");
    expect(sent()).toMatchObject({ seat: 1 });
    table.make("1-2");
    expect(sent()).toMatchObject({ seat: 1 });
    table.picked = ["1"];
    table.look(0);
    expect([sent(), table.picked]).toEqual([{ type: "look", seat: 0 }, []]);
    await tell({ version: 1, seat: null });
    table.offer("draw");
    expect(sent()).toMatchObject({ seat: 0 });
    table.resign();
    expect(sent()).not.toHaveProperty("seat");
  });
  test("a seat of one's own that is asked but not looked from is found", async () => {
    welcome([0, 1], { seat: 0, asked: [1] });
    expect([table.mayAct, table.elsewhere]).toEqual([false, 1]);
    await tell({ version: 1, seat: 1, asked: [1] });
    expect([table.mayAct, table.elsewhere]).toEqual([true, undefined]);
    await tell({ version: 1, seat: 1, asked: [1, 0] });
    expect(table.elsewhere).toBe(undefined);
    await tell({ version: 1, seat: 1, asked: [3] });
    expect(table.elsewhere).toBe(undefined);
  });
});

describe("names", () => {
  test("of people, of seats without, and of namesakes with their roles", () => {
    welcome([0]);
    expect([table.name(0), table.name(1), table.name(9)]).toEqual(["Ada", "Bo", ""]);
    FakeSocket.last.say({ type: "seats", seats: [seats[0]!, { seat: 1, kind: "person", name: "Ada" }] });
    expect([table.name(0), table.name(1)]).toEqual(["Ada (Red)", "Ada (Yellow)"]);
    FakeSocket.last.say({ type: "seats", seats: [{ seat: 0, kind: "free" }, seats[1]!] });
    expect(table.name(0)).toBe("Red");
  });
});

describe("updates", () => {
  test("bring everything, and what one leaves out is nothing", async () => {
    vi.setSystemTime(5000);
    welcome([0], { times: { left: [1, 2] }, offers: [{ what: "draw", seat: 1, waits: [0] }], outcome: { winners: [0], seats: 2, reason: "x", sentence: ["turn.over"] } });
    expect([table.scene, table.status, table.seat, table.asked, table.moves]).toEqual([scene, "playing", 0, [0], moves]);
    expect([table.times, table.offers.length, table.outcome?.winners]).toEqual([{ left: [1, 2], at: 5000 }, 1, [0]]);
    table.hinted = ["1"];
    await tell({ version: 2, events: [event(1, "chat", { seat: 1, text: "hi" })] });
    expect([table.seat, table.asked, table.moves, table.times, table.offers, table.outcome]).toEqual([null, [], [], null, [], null]);
    expect([table.hinted, table.scene, table.info?.version]).toEqual([[], scene, 2]);
  });
  test("that were had already are not taken in twice", async () => {
    welcome([0]);
    await tell({ version: 3, events: [event(0, "start"), event(1, "chat"), event(2, "chat")] });
    expect(table.events.map((one) => one.n)).toEqual([0, 1, 2]);
    await tell({ version: 4, events: [event(3, "chat")] });
    expect(table.events.map((one) => one.n)).toEqual([0, 1, 2, 3]);
  });
  test("change the scene where it changed, and leave the rest the very same", async () => {
    welcome([0]);
    const before = table.scene!;
    const pieces = [{ spot: "1", kind: "peg" as const }];
    await tell({ version: 1, scene: null, change: { status: ["turn.over"], players, parts: [{ id: "board", pieces }] } });
    expect(table.scene).toMatchObject({ title: scene.title, status: ["turn.over"], parts: [{ ...board, pieces }, hand] });
    expect([table.scene!.parts[0]!.cells === before.parts[0]!.cells, table.scene!.parts[1] === before.parts[1]]).toEqual([true, true]);
    await tell({ version: 1, scene });
    expect(table.scene).toEqual(scene);
  });
  test("tell the way of the last move", async () => {
    welcome([0]);
    await tell({ version: 3, events: [event(1, "move", { seat: 0, text: "x", path: ["1", "2", "4"] }), event(2, "chat")] });
    expect(table.path).toEqual(["1", "2", "4"]);
    await tell({ version: 4, events: [event(3, "move", { seat: 1, text: "1-2" })] });
    expect(table.path).toEqual([]);
    await tell({ version: 5, events: [event(4, "chat")] });
    expect(table.path).toEqual([]);
  });
  test("leave what is in the hand alone unless something moved", async () => {
    welcome([0]);
    table.pick("1");
    table.waiting = true;
    await tell({ version: 2, seat: 0, asked: [0], moves, events: [event(1, "chat", { seat: 1, text: "hm" })] });
    expect([table.picked, table.waiting]).toEqual([["1"], true]);
    await tell({ version: 2, seat: 0, asked: [0], moves, ack: 7 });
    expect([table.picked, table.waiting]).toEqual([[], false]);
    table.pick("1");
    await tell({ version: 2, seat: 1, asked: [0], moves });
    expect(table.picked).toEqual([]);
    await tell({ version: 2, seat: 0, asked: [0], moves });
    table.pick("2");
    table.pick("off");
    await tell({ version: 3, seat: 0, asked: [0], moves, events: [event(2, "move", { seat: 1, text: "3-4" })] });
    expect([table.picked, table.doubtful]).toEqual([[], null]);
  });
  test("keep an arrangement that is still asked for", async () => {
    const filling: Filling = { spots: ["A:c1"], pattern: "{}", suggestion: [], kind: "peg", how: ["x"], done: ["y"] };
    welcome([0], { filling });
    const before = table.filling;
    await tell({ version: 2, filling: { ...filling }, events: [event(1, "chat")] });
    expect(table.filling).toBe(before);
    await tell({ version: 2, filling: { ...filling, pattern: "!" } });
    expect(table.filling?.pattern).toBe("!");
    await tell({ version: 2 });
    expect(table.filling).toBe(null);
  });
  test("a bot that plays on takes the seat away", async () => {
    welcome([0, 1]);
    await tell({ version: 2, events: [event(1, "handover", { seat: 0, text: "maple" })] });
    expect(table.yours).toEqual([1]);
  });
  test("a rematch is told", async () => {
    welcome([0]);
    await tell({ version: 2, status: "over", events: [event(1, "rematch", { text: "t9" })] });
    expect([table.info?.rematch, table.info?.status]).toEqual(["t9", "over"]);
  });
  test("moves that were taken back do not count, and the past is another", async () => {
    welcome([0]);
    const forgotten = vi.spyOn(table.steps, "forget");
    await tell({ version: 4, events: [1, 2, 3].map((n) => event(n, "move", { seat: 0, text: "1-2" })) });
    expect(forgotten).not.toHaveBeenCalled();
    await tell({ version: 6, events: [event(4, "takeback", { seat: 0, text: "2" }), event(5, "move", { seat: 0, text: "1-3" })] });
    expect(table.made.map((one) => one.n)).toEqual([1, 5]);
    expect(forgotten).toHaveBeenCalledOnce();
  });
  test("several at once are shown one after the other, but not when they are many", async () => {
    welcome([0]);
    const move = (n: number) => update({ version: n + 1, scene, events: [event(n, "move", { seat: 0, text: "1-2" })] });
    for (const n of [1, 2, 3]) FakeSocket.last.say(move(n));
    expect(table.events.length).toBe(2);
    await vi.advanceTimersByTimeAsync(349);
    expect(table.events.length).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(table.events.length).toBe(3);
    await vi.advanceTimersByTimeAsync(350);
    expect(table.events.length).toBe(4);
    await vi.advanceTimersByTimeAsync(350);
    FakeSocket.last.say(update({ version: 5, scene, events: [event(4, "chat")] }));
    FakeSocket.last.say(move(5));
    expect(table.events.length, "a word is no move: nothing waits for it").toBe(6);
    for (const n of [6, 7, 8, 9, 10, 11, 12]) FakeSocket.last.say(move(n));
    await vi.advanceTimersByTimeAsync(350);
    expect(table.events.length, "of seven the first is not waited for").toBe(8);
  });
});

describe("news", () => {
  const words: Words = ["double-dutch.puts", { cell: "d4" }];

  test("say what happened and what is asked", async () => {
    welcome([0]);
    expect(table.news).toBe("Red to move.");
    await tell({ version: 2, events: [event(1, "move", { seat: 1, text: "d4", words })] });
    expect(table.news).toBe("Bo puts a stone on d4. Red to move.");
    await tell({ version: 3, events: [event(2, "chat", { seat: 0, text: "hi" })] });
    expect(table.news).toBe("Ada says: hi Red to move.");
    await tell({ version: 4, events: [event(3, "takeback", { seat: 0, text: "1" })] });
    expect(table.news).toBe("A move was taken back. Red to move.");
    const nature: Words = ["double-dutch.puts", { cell: "d4", who: "Nobody" }];
    await tell({ version: 5, events: [event(4, "move", { seat: -1, text: "d4", words: nature })] });
    expect(table.news, "of whom nature speaks it says itself").toBe("Nobody puts a stone on d4. Red to move.");
  });
  test("a message lives until the next move, and no longer", async () => {
    welcome([0]);
    table.say("A bot would play: 1-2.");
    await tell({ version: 2, events: [event(1, "chat", { seat: 1, text: "hi" })] });
    expect(table.says?.text).toBe("A bot would play: 1-2.");
    await tell({ version: 3, events: [event(2, "move", { seat: 0, text: "1-2", words })] });
    expect(table.says).toBe(null);
  });
  test("an error goes away with what it was about", () => {
    welcome([0]);
    table.say("Not so.", "danger");
    table.drop();
    expect(table.says).toBe(null);
  });
  test("what was declined before the page was opened is not said again", () => {
    welcome([0], { version: 2, events: [event(0, "start"), event(1, "decline", { seat: 1, text: "takeback" })] });
    expect(table.says).toBe(null);
  });
  test("a declined offer is said aloud", async () => {
    welcome([0]);
    await tell({ version: 2, events: [event(1, "decline", { seat: 1, text: "draw" })] });
    expect(table.says?.text).toBe("Bo does not want a draw.");
  });
  test("speak to you when it is your turn alone", async () => {
    const needs = { ...scene, status: ["cup-king.needsOrAny", { who: ["cup-king.player", { letter: "A" }], more: 7, colour: ["tint.red"] }] as Words };
    welcome([0], { scene: needs });
    expect(table.news).toMatch(/^You need more than 7/);
    await tell({ version: 1, scene: needs, asked: [1], seat: 0 });
    expect(table.news).toMatch(/^Player A needs/);
    FakeSocket.last.say({ type: "welcome", table: info, yours: [0, 1] });
    await tell({ version: 1, scene: needs, asked: [0], seat: 0 });
    expect(table.news).toMatch(/^Player A needs/);
  });
  test("are heard: a move, what others say, the end, and a turn while the page is hidden", async () => {
    welcome([0], { events: [event(0, "move", { seat: 1, text: "1-2" })] });
    expect(played).toEqual([]);
    await tell({ version: 2, seat: 0, asked: [1], events: [event(1, "move", { seat: 0, text: "1-2" })] });
    expect(played).toEqual(["move"]);
    vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    await tell({ version: 3, seat: 0, asked: [0], events: [event(2, "move", { seat: 1, text: "1-2" })] });
    expect(played).toEqual(["move", "move", "turn"]);
    await tell({ version: 4, seat: 0, asked: [0], events: [event(3, "chat", { seat: 1, text: "x" })] });
    expect(played.slice(3)).toEqual(["chat"]);
    await tell({ version: 5, status: "over", events: [event(4, "end", { seat: 1, text: "resigned" })] });
    expect(played.slice(4)).toEqual(["end"]);
    await tell({ version: 6, status: "over", events: [event(5, "chat", { seat: 1, text: "gg" })] });
    expect(played.slice(5)).toEqual(["chat"]);
  });
});
