// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { prefs } from "../lib/prefs.svelte";
import { close, stage, target } from "../test/stage";
import { FakeServer, FakeSocket, update } from "../test/fakes";
import type { SeatInfo, TableInfo, Update } from "../wire.gen";
import Next from "./Next.svelte";
import PaceChoice from "./PaceChoice.svelte";
import { Table } from "./table.svelte";

const bot = (seat: number): SeatInfo => ({ seat, kind: "bot", name: `bot ${seat}`, here: true });
const me: SeatInfo = { seat: 0, kind: "person", name: "Ada", here: true };

let table: Table;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", new FakeServer().fetch);
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  prefs.pace = null;
});
afterEach(async () => {
  table.close();
  await close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function sit(...seats: SeatInfo[]) {
  const info = { id: "t1", game: "g", title: ["g"], seats, status: "playing", version: 1, options: {} } as unknown as TableInfo;
  table = new Table("t1", [], false);
  FakeSocket.last.open();
  FakeSocket.last.say({ type: "welcome", table: info, yours: [0] });
  FakeSocket.last.say(update({ version: 1, seat: 0, asked: [0] }));
  flushSync();
}
const hear = (n: number, seat: number, more: Partial<Update> = {}) =>
  FakeSocket.last.say(update({ version: n + 1, events: [{ n, kind: "move", at: 0, seat, text: "x" }], ...more }));
const seen = () => table.events.length;
const pass = async (milliseconds: number) => {
  await vi.advanceTimersByTimeAsync(milliseconds);
  flushSync();
};

describe("the pace of bots", () => {
  test("is quick against one or two, and calm where there are many, until somebody says otherwise", () => {
    sit(me, bot(1), bot(2));
    expect(table.pace.name).toBe("once");
    table.close();
    sit(me, bot(1), bot(2), bot(3));
    expect(table.pace.name).toBe("calm");
    table.pace.choose("step");
    expect([table.pace.name, localStorage.getItem("cupboard.pace")]).toEqual(["step", "step"]);
  });
  test("at once shows a move when the one before has landed", async () => {
    sit(me, bot(1));
    hear(1, 1);
    hear(2, 1);
    expect(seen()).toBe(1);
    await pass(350);
    expect(seen()).toBe(2);
  });
  test("calmly leaves a second between two moves, and none before a person's", async () => {
    prefs.pace = "calm";
    sit(me, bot(1), { ...me, seat: 2, name: "Bo" });
    hear(1, 1);
    hear(2, 1);
    hear(3, 2);
    await pass(999);
    expect(seen()).toBe(1);
    await pass(1);
    expect(seen()).toBe(2);
    await pass(350);
    expect(seen()).toBe(3);
  });
  test("step by step waits for each move to be asked for", async () => {
    prefs.pace = "step";
    sit(me, bot(1));
    stage(Next, { pace: table.pace });
    hear(1, 1);
    hear(2, 1);
    await pass(10_000);
    expect([seen(), table.pace.holds]).toEqual([0, true]);
    target.querySelector<HTMLButtonElement>("[data-next]")!.click();
    await pass(350);
    expect([seen(), table.pace.holds]).toEqual([1, true]);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    await pass(350);
    expect([seen(), table.pace.holds, target.querySelector("[data-next]")]).toEqual([2, false, null]);
  });
  test("step by step never holds back what the person did, a clock, or a long row", async () => {
    prefs.pace = "step";
    sit(me, bot(1));
    hear(1, 1);
    await pass(0);
    expect(table.pace.holds).toBe(true);
    FakeSocket.last.say(update({ version: 3, events: [{ n: 2, kind: "end", at: 0, seat: 0, text: "resigned" }], status: "over", ack: 1 }));
    await pass(350);
    expect([seen(), table.status, table.pace.holds]).toEqual([2, "over", false]);
    table.close();
    sit(me, bot(1));
    hear(1, 1, { times: { left: [1, 1] } });
    await pass(0);
    expect(seen()).toBe(1);
    table.close();
    sit(me, bot(1));
    for (let n = 1; n < 30; n++) hear(n, 1);
    await pass(10_000);
    expect([seen(), table.pace.holds]).toEqual([0, true]);
    for (let n = 30; n < 50; n++) hear(n, 1);
    await pass(3000);
    expect(seen()).toBeGreaterThan(8);
  });
  test("is offered only where there are bots, and another choice lets go", async () => {
    prefs.pace = "step";
    sit(me, bot(1));
    stage(PaceChoice, { pace: table.pace });
    hear(1, 1);
    await pass(0);
    const select = target.querySelector("select")!;
    expect([...select.options].map((option) => option.value)).toEqual(["once", "calm", "step"]);
    table.pace.choose("once");
    await pass(350);
    expect(seen()).toBe(1);
    table.close();
    await close();
    sit(me, { ...me, seat: 1 });
    stage(PaceChoice, { pace: table.pace });
    expect(target.querySelector("select")).toBe(null);
  });
});
