// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Aim, Motion, Shot } from "../solid/contract";
import { FakeServer, FakeSocket, update } from "../test/fakes";
import type { Aiming, Event, Scene, TableInfo, Update, Words } from "../wire.gen";
import { Aimer, onScale, textOf } from "./aim.svelte";
import { Flick } from "./flick.svelte";
import { housed } from "./housed";
import { motionOf, pusher } from "./motions.svelte";
import { Table } from "./table.svelte";

vi.mock("../solid/motion", () => ({
  decode: (bytes: ArrayBuffer) => {
    const said = new TextDecoder().decode(bytes);
    if (said !== '"bytes"') throw new Error(said);
    return MOTION;
  },
}));
const MOTION = { frames: 120, rate: 60, places: [], gone: [] } as unknown as Motion;

const scale = (least: number, most: number, usual: number) => ({ least, most, usual, words: ["seat.red"] as Words });
const aiming: Aiming = {
  spots: ["A:a1", "A:c2"],
  names: ["a1", "c2"],
  pattern: "-{at}:{strength},{height},{aside},{turn},{side}",
  strength: scale(1, 100, 50),
  height: scale(5, 95, 40),
  aside: scale(-90, 90, 0),
  turn: scale(-60, 60, 0),
  from_front: "front",
  from_behind: "behind",
  how: ["seat.red"],
};
const aim: Aim = { spot: "A:c2", strength: 60, height: 50, aside: -10, turn: 15, behind: false };
const event = (n: number, kind: Event["kind"], more: Partial<Event> = {}): Event => ({ n, kind, at: 0, ...more });

describe("an aim as a move", () => {
  test("every number stands in its place, and what is aimed at has its own name", () => {
    expect(textOf(aiming, aim)).toBe("-c2:60,50,-10,15,front");
    expect(textOf(aiming, { ...aim, spot: "A:a1", behind: true })).toBe("-a1:60,50,-10,15,behind");
  });
  test("only whole numbers on the scales are sent", () => {
    expect(textOf(aiming, { ...aim, strength: 250, height: -3, aside: 12.6, turn: NaN })).toBe("-c2:100,5,13,0,front");
    expect([onScale(aiming.turn, -61), onScale(aiming.turn, Infinity)]).toEqual([-60, 0]);
  });
  test("at nothing else can be aimed", () => {
    expect(textOf(aiming, { ...aim, spot: "B:a1" })).toBe(undefined);
  });
  test("it begins with the usual numbers, and keeps what was chosen while the scales are the same", () => {
    const aimer = new Aimer();
    aimer.begin(aiming);
    expect(aimer.at("A:a1")).toEqual({ spot: "A:a1", strength: 50, height: 40, aside: 0, turn: 0, behind: false });
    aimer.take(aiming, { ...aim, behind: true, strength: 1000 });
    aimer.begin({ ...aiming, spots: ["A:a1"] });
    expect(aimer.at("A:c2")).toEqual({ ...aim, behind: true, strength: 100 });
    aimer.begin({ ...aiming, turn: scale(-45, 45, 5) });
    expect([aimer.turn, aimer.strength, aimer.behind]).toEqual([5, 50, false]);
  });
});

test("only a motion that leads from what is shown to what is new is played", () => {
  const push = event(4, "move", { seat: 0 });
  const rest = event(5, "move", { seat: -1, motion: true });
  const told = (...events: Event[]) => update({ version: 9, events }) as Update;
  expect(motionOf(told(rest), 5)).toBe(rest);
  expect(motionOf(told(push, rest), 4)).toBe(rest);
  expect(motionOf(told(push, rest), 6), "it is known already").toBe(undefined);
  expect(motionOf(told(push), 4)).toBe(undefined);
  expect(motionOf(told(event(3, "move", { seat: 1 }), push, rest), 3), "the scene before it is not there").toBe(undefined);
  expect(motionOf(told(rest, ...[6, 7, 8, 9, 10, 11].map((n) => event(n, "move", { seat: 0 }))), 5)).toBe(undefined);
  expect([pusher([push, rest], 5), pusher([rest], 5)]).toEqual([0, undefined]);
});

test("pieces without places of their own join the parts they stand in", () => {
  const cells = [{ spot: "a1", x: 0, y: 0, name: ["seat.red"] as Words }, { spot: "a2", x: 1, y: 0, name: ["seat.red"] as Words }];
  const peg = (spot: string, tint: string) => ({ spot, kind: "peg" as const, tint });
  const scene = { parts: [{ id: "one", cells, pieces: [peg("a1", "red"), peg("a2", "red")] }, { id: "two", cells: [] }] } as unknown as Scene;
  expect(housed(scene)).toBe(scene);
  const arranged = { ...scene, parts: [...scene.parts, { id: "more", pieces: [peg("a2", "blue")] }] };
  expect(housed(arranged).parts).toEqual([{ id: "one", cells, pieces: [peg("a1", "red"), peg("a2", "blue")] }, { id: "two", cells: [] }]);
});

// At a table.

const info: TableInfo = { id: "t1", game: "g", title: ["x"], seats: [], status: "playing", version: 1, options: {} };
const state = (words: string): Scene => ({ title: ["x"], status: [words], parts: [], players: [] });
const moves = ["gentle", "hard"].map((how) => ({ text: `-c2:${how}`, spots: ["A:c2", how] }));
const push = event(1, "move", { seat: 0, text: "-c2" });
const rest = event(2, "move", { seat: -1, text: "settle", motion: true, words: ["tint.red"] });

let server: FakeServer;
let table: Table;
let flick: Flick;
let isCalm: boolean;
let shots: Shot[];
let finish: () => void;
let stopped: number;

beforeEach(() => {
  vi.useFakeTimers();
  [isCalm, shots, stopped] = [false, [], 0];
  server = new FakeServer();
  server.answers = { "/api/tables/t1": info, "/api/tables/t1/motions/2": "\"bytes\"" };
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("matchMedia", () => ({ matches: isCalm }));
  FakeSocket.all = [];
  table = new Table("t1", [], false);
  flick = new Flick(table);
  table.motions.projector = {
    play: (shot) => {
      shots.push(shot);
      return new Promise((done) => (finish = done));
    },
    stop: () => void stopped++,
  };
  FakeSocket.last.open();
  FakeSocket.last.say({ type: "welcome", table: info, yours: [0] });
  say({ version: 1, scene: state("aim"), asked: [0], moves, aiming });
});
afterEach(() => {
  table.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function say(more: Partial<Update> & { version: number }) {
  FakeSocket.last.say(update({ seat: 0, ...more }));
  flushSync();
}
const pushed = () => say({ version: 2, scene: state("resting"), events: [push] });
const settled = () => say({ version: 3, scene: state("rested"), events: [rest], asked: [1] });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const sent = () => FakeSocket.last.latest("move")?.["text"];

describe("pushing", () => {
  test("a piece that is taken up can be pushed by the listed moves or by hand", () => {
    expect(flick.spot).toBe(null);
    table.pick("A:c2");
    expect([flick.spot, [...table.entry.next], flick.aim]).toEqual(["A:c2", ["gentle", "hard"], null]);
    flick.aimer.begin(aiming);
    flick.aimer.isOpen = true;
    flick.aimer.strength = 70;
    expect(flick.aim).toMatchObject({ spot: "A:c2", strength: 70 });
    flick.push();
    expect([sent(), table.waiting, flick.spot]).toEqual(["-c2:70,40,0,0,front", true, null]);
  });
  test("pulling in space takes the piece up and shows the aim, letting go pushes at once", () => {
    flick.pull(aim);
    expect([table.picked, flick.aim]).toEqual([["A:c2"], aim]);
    flick.pull(null);
    expect([flick.aim, sent()]).toEqual([null, undefined]);
    flick.release(aim);
    expect(sent()).toBe("-c2:60,50,-10,15,front");
    flick.release({ ...aim, strength: 5 });
    expect(sent(), "one push is enough").toBe("-c2:60,50,-10,15,front");
  });
  test("nothing is pushed that may not be, nor when it is somebody else's turn", () => {
    flick.release({ ...aim, spot: "B:a1" });
    flick.push();
    say({ version: 1, asked: [1], aiming });
    flick.release(aim);
    expect([sent(), table.picked]).toEqual([undefined, []]);
  });
});

describe("while something comes to rest", () => {
  test("nobody is asked, and whoever points hears why", async () => {
    pushed();
    expect([table.isResting, table.mayAct]).toEqual([true, false]);
    table.pick("A:c2");
    expect(table.says?.text).toMatch(/come to rest/);
    await pass(350);
  });
  test("the result is held back until the motion has been seen", async () => {
    pushed();
    await pass(350);
    settled();
    await pass(10);
    expect([table.scene?.status, shots.length, table.motions.shot?.seat]).toEqual([["resting"], 1, 0]);
    expect(shots[0]).toMatchObject({ motion: MOTION, before: state("resting"), speed: 1, from: "owner" });
    await pass(1500);
    expect(table.scene?.status).toEqual(["resting"]);
    finish();
    await pass(0);
    expect([table.scene?.status, table.motions.shot, table.motions.isSeen]).toEqual([["rested"], null, true]);
    expect([flick.judgement, table.news]).toEqual(["red", "red rested"]);
  });
  test("but never much longer than the motion takes", async () => {
    pushed();
    await pass(350);
    settled();
    await pass(3990);
    expect(table.scene?.status).toEqual(["resting"]);
    await pass(20);
    expect([table.scene?.status, stopped]).toEqual([["rested"], 1]);
  });
  test.each([
    ["somebody wants calm", () => (isCalm = true)],
    ["nobody can show it", () => (table.motions.projector = null)],
    ["it was not kept", () => delete server.answers["/api/tables/t1/motions/2"]],
    ["it cannot be read", () => (server.answers["/api/tables/t1/motions/2"] = "\"nonsense\"")],
  ])("and not at all when %s", async (_, break_it) => {
    break_it();
    pushed();
    await pass(350);
    settled();
    await pass(10);
    expect([table.scene?.status, shots, table.motions.isSeen]).toEqual([["rested"], [], false]);
  });
  test("nor when much has happened meanwhile", async () => {
    pushed();
    settled();
    for (let n = 3; n < 10; n++) say({ version: n + 1, scene: state(`${n}`), events: [event(n, "move", { seat: 1 })] });
    await pass(5000);
    expect([shots, table.scene?.status]).toEqual([[], ["9"]]);
  });
  test("a slow line delays it by a second at most", async () => {
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    pushed();
    await pass(350);
    settled();
    await pass(990);
    expect(table.scene?.status).toEqual(["resting"]);
    await pass(20);
    expect(table.scene?.status).toEqual(["rested"]);
  });
});

describe("looking again", () => {
  const scenes = [1, 2, 3, 4].map((version) => ({ version, scene: state(`v${version}`) }));
  beforeEach(async () => {
    server.answers["/api/tables/t1/scenes"] = scenes;
    isCalm = true;
    pushed();
    await pass(350);
    settled();
    await pass(350);
  });

  test("is offered until somebody moves, and then when one has stepped back to it", async () => {
    expect([flick.last?.n, flick.judgement]).toEqual([2, "red"]);
    say({ version: 4, scene: state("deal"), events: [event(3, "move", { seat: -1 })], asked: [1] });
    await pass(350);
    expect(flick.last?.n, "nature may go on").toBe(2);
    say({ version: 5, scene: state("more"), events: [event(4, "move", { seat: 1 })], asked: [0] });
    await pass(350);
    expect([flick.last, flick.judgement]).toEqual([undefined, ""]);
    await table.steps.show(1, 5);
    expect([table.steps.shown?.version, flick.last?.n], "the push").toEqual([2, 2]);
    await table.steps.show(2, 5);
    expect([table.steps.shown?.version, flick.last?.n], "what came of it").toEqual([3, 2]);
    await table.steps.first(5);
    expect([table.steps.shown?.version, flick.last]).toEqual([1, undefined]);
  });
  test("shows the scene before it while it is played, also to those who want calm", async () => {
    void flick.watch({ speed: 0.25, from: "side" });
    await pass(0);
    expect(shots[0]).toMatchObject({ seat: 0, speed: 0.25, from: "side", before: state("v2") });
    expect([table.motions.isAgain, table.motions.shot]).toEqual([true, shots[0]]);
    await pass(9000);
    expect(table.motions.isAgain, "as long as it takes").toBe(true);
    finish();
    await pass(0);
    expect([table.motions.isAgain, table.motions.shot]).toEqual([false, null]);
  });
  test("ends when somebody moves", async () => {
    void flick.watch({ speed: 1, from: "owner" });
    await pass(0);
    say({ version: 4, scene: state("more"), events: [event(3, "move", { seat: 1 })], asked: [0] });
    expect([table.motions.shot, stopped, table.scene?.status]).toEqual([null, 1, ["more"]]);
  });
  test("of something that was not kept says so", async () => {
    server.down = true;
    void flick.watch({ speed: 1, from: "owner" });
    await pass(0);
    expect([shots, table.says?.text]).toEqual([[], "How it happened was not kept."]);
  });
});

test("a result that was waited for is judged even without a motion", async () => {
  pushed();
  await pass(350);
  say({ version: 3, scene: state("rested"), events: [{ ...rest, motion: false }], asked: [1] });
  expect([flick.judgement, flick.last?.motion]).toEqual(["red", false]);
});

test("what nature does after that, such as a deal, is not what was waited for", async () => {
  isCalm = true;
  pushed();
  await pass(350);
  const deal = event(3, "move", { seat: -1, words: ["tint.blue"] });
  say({ version: 4, scene: state("rested"), events: [rest, deal], asked: [1] });
  await pass(0);
  expect([flick.judgement, flick.last?.n]).toEqual(["red", 2]);
});
