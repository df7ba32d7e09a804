// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeServer } from "../test/fakes";
import type { Table } from "../table/table.svelte";
import type { Event, LessonState, LessonTry, TutorInfo, Words } from "../wire.gen";
import { Course } from "./course.svelte";
import { isBeginner, keepProgress, progressOf } from "./progress";
import { beginWithTutor, fits, keysOf, Tutor } from "./tutor.svelte";

let server: FakeServer;
beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  vi.stubGlobal("fetch", server.fetch);
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("progress", () => {
  test("is remembered for each game", () => {
    expect([progressOf("a"), isBeginner()]).toEqual([{ at: "", done: [] }, true]);
    keepProgress("a", { at: "two", done: ["one"] });
    keepProgress("b", { at: "", done: [] });
    expect([progressOf("a"), progressOf("b").done, isBeginner()]).toEqual([{ at: "two", done: ["one"] }, [], false]);
  });
  test.each(["no json", "[]", "7", '{"a": 1}', '{"a": {"at": 2, "done": "x"}}', '{"a": {"done": [1, null]}}'])("of another kind is none: %s", (kept) => {
    localStorage.setItem("cupboard.learn", kept);
    expect(progressOf("a")).toEqual({ at: "", done: [] });
  });
  test("without storage is forgotten, and nothing breaks", () => {
    vi.stubGlobal("localStorage", undefined);
    keepProgress("a", { at: "two", done: ["one"] });
    expect([progressOf("a").at, isBeginner()]).toEqual(["", true]);
  });
});

describe("a course", () => {
  const scene = (name: string) => ({ title: [name], status: [name], parts: [], players: [{ seat: 0, name: ["seat.red"], tint: "" }] });
  const state = (verdict: string, more: object = {}) => ({ verdict, scene: scene(verdict), seat: 0, ...more }) as unknown as LessonState;
  /** Answers to a try, by the step's name. */
  let tried: (step: string, body: LessonTry) => LessonState;

  beforeEach(() => {
    tried = () => state("look", { moves: [{ text: "1-2", spots: ["1", "2"] }], hinted: ["1"] });
    server.answers = {
      "GET /api/games/g/lessons": ["a", "b", "c"].map((id) => ({ id, words: [`words of ${id}`], points: id === "b" })),
      "POST /api/games/g/lessons": ({ path, body }: { path: string; body: LessonTry }) => tried(path.split("/").at(-1)!, body),
    };
  });
  const dropped = vi.fn();
  const begun = async (wanted = "") => {
    const course = new Course("g", dropped);
    await course.load(wanted);
    return course;
  };
  const settled = async (what: Promise<unknown>) => {
    await vi.advanceTimersByTimeAsync(5000);
    await what;
    flushSync();
  };

  test("begins at the first step, at the one where one stopped, or at the one that is asked for", async () => {
    expect((await begun()).at).toBe(0);
    keepProgress("g", { at: "b", done: ["a"] });
    const course = await begun();
    expect([course.at, [...course.done], course.isPointing, course.hinted]).toEqual([1, ["a"], true, ["1"]]);
    expect([(await begun("c")).at, (await begun("nothing")).at]).toEqual([2, 2]);
  });
  test("praises, tells what happened, remembers it, and waits to be sent on", async () => {
    const course = await begun();
    const frames = [
      { seat: 0, scene: scene("mine"), path: ["1", "2"], words: ["seat.yellow"] },
      { seat: -1, words: ["seat.blue"] },
    ];
    tried = () => state("done", { did: "1-2", frames, said: ["yes"] });
    await settled(course.play("1-2"));
    expect([course.isDone, course.said?.text, course.news, course.moves]).toEqual([true, "Yes", "Yellow Blue Yes", []]);
    expect([course.at, progressOf("g")]).toEqual([0, { at: "a", done: ["a"] }]);
    tried = () => state("look");
    await course.go(1);
    expect([course.said, course.news.includes("words of b"), progressOf("g").at]).toEqual([null, true, "b"]);
    await course.go(3);
    expect([course.isOver, progressOf("g").at]).toEqual([true, ""]);
  });
  test("says why not, and after two wrong tries offers to show it", async () => {
    const course = await begun();
    tried = () => state("wrong", { said: ["no"], refused: true });
    await settled(course.play("1-3"));
    expect([course.said, course.news, course.isStuck, dropped.mock.calls.length]).toEqual([{ tone: "wrong", text: "No", refused: ["no"] }, "No", false, 1]);
    expect(course.moves.length).toBe(1);
    await settled(course.point(["7"]));
    expect(course.isStuck).toBe(true);
    tried = (_, { show, moves }) => (moves?.length ? state("done", { did: "2-3", frames: [{ seat: 0 }] }) : state(show ? "on" : "wrong", { did: "1-2", frames: [{ seat: 0 }] }));
    await settled(course.show());
    expect([course.isDone, course.said?.tone]).toEqual([true, "shown"]);
    expect(server.asked.filter(({ body }) => (body as LessonTry | undefined)?.show).map(({ body }) => (body as LessonTry).moves)).toEqual([[], ["1-2"]]);
  });
  test("an answer that comes after one has gone on is not for this step", async () => {
    const course = await begun();
    tried = (step) => (step === "a" ? state("done", { said: ["yes"], frames: [{ seat: 0 }] }) : state("look"));
    const late = course.play("1-2");
    await course.go(1);
    await settled(late);
    expect([course.at, course.said, course.isDone, course.busy]).toEqual([1, null, false, false]);
  });
  test("trouble is said, and the next try may be better", async () => {
    const course = await begun();
    server.down = true;
    await settled(course.play("1-2"));
    expect([course.trouble !== "", course.busy, course.at]).toEqual([true, false, 0]);
    await course.go(1);
    expect(course.at).toBe(0);
    server.down = false;
    await course.go(1);
    expect([course.at, course.trouble]).toEqual([1, ""]);
  });
});

describe("when a tutor speaks", () => {
  const word = (kind: TutorInfo["kind"], more: Partial<TutorInfo> = {}): TutorInfo => ({ id: "x", kind, words: ["yes"], ...more });
  const move = (text: string, isMine = true) => ({ kind: "move", text, isMine }) as const;

  test("a move fits by its whole notation, and by who made it", () => {
    const chain = word("move", { like: "\\d-\\d|\\d-\\d-\\d", by: "me" });
    expect([fits(chain, move("1-2-3")), fits(chain, move("1-2-3-4")), fits(chain, move("1-2", false))]).toEqual([true, false, false]);
    expect(fits(word("move", { like: ".*", by: "other" }), move("1", false))).toBe(true);
    expect([true, false].map((isMine) => fits(word("move", { like: "." }), move("1", isMine)))).toEqual([true, true]);
  });
  test("words fit by a key anywhere in them", () => {
    const said: Words = ["join.sentences", [["a", { who: ["b"] }], "c", 4]];
    expect([keysOf(said), keysOf(null)]).toEqual([["join.sentences", "a", "b"], []]);
    const keys = new Set(keysOf(said));
    expect(["a", "b", "c"].map((key) => fits(word("said", { key }), { kind: "said", keys }))).toEqual([true, true, false]);
    expect(fits(word("start"), { kind: "said", keys })).toBe(false);
  });
});

describe("a tutor at a table", () => {
  const WORDS: TutorInfo[] = [
    { id: "start", kind: "start", words: ["begin"] },
    { id: "mine", kind: "move", like: "m", by: "me", words: ["mine"] },
    { id: "theirs", kind: "move", like: "t", by: "other", words: ["theirs"] },
    { id: "late", kind: "said", key: "late", words: ["late"] },
  ];
  let n = 0;
  const made = (seat: number, text: string): Event => ({ n: n++, kind: "move", at: 0, seat, text });
  const fake = (more: object = {}) => {
    n = 0;
    const seats = [{ seat: 0, kind: "person" }, { seat: 1, kind: "bot" }];
    return { info: { game: "g" }, seats, yours: [0], scene: { status: ["x"] }, events: [] as Event[], moves: [], outcome: null, mayAct: true, ...more };
  };
  const sat = async (table: object) => {
    const tutor = new Tutor(table as unknown as Table);
    await tutor.look();
    return tutor;
  };
  beforeEach(() => {
    server.answers = { "GET /api/games/g/tutor": WORDS };
  });

  test("comments each new thing once in all tables of the game", async () => {
    beginWithTutor("g");
    const table = fake();
    const tutor = await sat(table);
    expect(tutor.word?.id).toBe("start");
    table.events = [...table.events, made(0, "m"), made(1, "t")];
    await tutor.look();
    expect(tutor.word?.id).toBe("mine");
    tutor.next();
    expect(tutor.word?.id).toBe("theirs");
    tutor.next();
    table.events = [...table.events, made(0, "m"), made(1, "t")];
    await tutor.look();
    expect(tutor.word).toBe(null);
    Object.assign(table, { outcome: { sentence: ["join.sentences", [["late"]]] } });
    await tutor.look();
    expect(tutor.word?.id).toBe("late");
    expect((await sat(fake())).word).toBe(null);
    beginWithTutor("g");
    expect((await sat(fake())).word?.id).toBe("start");
  });
  test("lets a word wait no longer than until the next move, and says it another time", async () => {
    beginWithTutor("g");
    const table = fake();
    const tutor = await sat(table);
    table.events = [made(0, "m"), made(1, "t")];
    await tutor.look();
    table.events = [...table.events, made(0, "other")];
    await tutor.look();
    expect(tutor.word).toBe(null);
    table.events = [...table.events, made(1, "t")];
    await tutor.look();
    expect(tutor.word?.id).toBe("theirs");
  });
  test("is not there unless somebody asked for it, nor where people play or only look on", async () => {
    expect((await sat(fake())).isHere).toBe(false);
    beginWithTutor("g");
    const seats = [{ seat: 0, kind: "person" }, { seat: 1, kind: "person" }];
    expect([(await sat(fake({ seats }))).isHere, (await sat(fake({ yours: [] }))).isHere, (await sat(fake({ info: { game: "h" } }))).isHere]).toEqual([false, false, false]);
    expect(server.asked).toEqual([]);
  });
  test("can be sent away and called back, also at the next table", async () => {
    beginWithTutor("g");
    const tutor = await sat(fake());
    tutor.turn(false);
    expect([tutor.isOn, tutor.isHere, tutor.word]).toEqual([false, true, null]);
    const next = await sat(fake({ scene: { status: ["late"] } }));
    expect([next.isOn, next.word]).toEqual([false, null]);
    next.turn(true);
    await vi.advanceTimersByTimeAsync(10);
    expect([next.isOn, next.word?.id]).toEqual([true, "late"]);
  });
  test("knows nothing of what happened before one came, and bears a server that is away", async () => {
    beginWithTutor("g");
    const table = fake({ events: [made(0, "m"), made(1, "t")] });
    expect((await sat(table)).word).toBe(null);
    server.down = true;
    expect((await sat(fake())).word).toBe(null);
  });
});
