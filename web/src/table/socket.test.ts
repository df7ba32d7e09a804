// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "../test/fakes";
import type { ServerMessage } from "../wire.gen";
import { Line, type Link } from "./socket";

let links: Link[];
let heard: ServerMessage[];
let line: Line;
const dial = () => new Line("/api/x", () => ({ type: "hello", version: links.length }), (message) => heard.push(message), (link) => links.push(link));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.spyOn(Math, "random").mockReturnValue(0);
  FakeSocket.all = [];
  [links, heard] = [[], []];
  line = dial();
});
afterEach(() => {
  line.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function pretend(visibility: "hidden" | "visible") {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(visibility);
}

test("says hello when the socket opens, and is live with the first message", () => {
  expect(FakeSocket.last.url).toBe(`ws://${location.host}/api/x`);
  expect(links).toEqual(["connecting"]);
  expect(line.send({ type: "ping" })).toBe(false);
  FakeSocket.last.open();
  expect(FakeSocket.last.sent).toEqual([{ type: "hello", version: 1 }]);
  FakeSocket.last.say({ type: "pong" });
  expect([links, heard]).toEqual([["connecting", "live"], [{ type: "pong" }]]);
  expect(line.send({ type: "ping" })).toBe(true);
  expect(FakeSocket.last.latest("ping")).toEqual({ type: "ping" });
});

test("a page over https uses a safe socket", () => {
  vi.stubGlobal("location", { protocol: "https:", host: "cups.example" });
  line.close();
  line = dial();
  expect(FakeSocket.last.url).toBe("wss://cups.example/api/x");
});

test("comes back by itself after longer and longer pauses, and quickly again once it was live", () => {
  const waited: number[] = [];
  for (let i = 0; i < 8; i++) {
    const before = FakeSocket.all.length;
    FakeSocket.last.close();
    expect(links.at(-1)).toBe("lost");
    let ms = 0;
    for (; FakeSocket.all.length === before; ms += 100) vi.advanceTimersByTime(100);
    waited.push(ms);
    expect(links.at(-1)).toBe("lost");
  }
  expect(waited).toEqual([300, 700, 1500, 3000, 5000, 8000, 8000, 8000]);
  FakeSocket.last.open();
  FakeSocket.last.say({ type: "pong" });
  const before = FakeSocket.all.length;
  FakeSocket.last.close();
  vi.advanceTimersByTime(299);
  expect(FakeSocket.all.length).toBe(before);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.all.length).toBe(before + 1);
  expect(line.send({ type: "ping" })).toBe(false);
});

test("pages that lost a server together come back one after the other", () => {
  vi.mocked(Math.random).mockReturnValue(0.9);
  FakeSocket.last.open();
  FakeSocket.last.close();
  vi.advanceTimersByTime(434);
  expect(FakeSocket.all.length).toBe(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.all.length).toBe(2);
});

test("a restart of the server is no cut, unless it takes long", () => {
  vi.mocked(Math.random).mockReturnValue(0.9);
  FakeSocket.last.open();
  FakeSocket.last.say({ type: "pong" });
  FakeSocket.last.close(1012);
  vi.advanceTimersByTime(900);
  FakeSocket.last.open();
  FakeSocket.last.say({ type: "pong" });
  vi.advanceTimersByTime(10_000);
  expect(links).toEqual(["connecting", "live", "away", "live"]);

  FakeSocket.last.close(1012);
  vi.advanceTimersByTime(2000);
  expect(links.at(-1)).toBe("away");
  vi.advanceTimersByTime(500);
  expect(links.at(-1)).toBe("lost");
});

test("closed is closed: nothing is dialled again and nothing is listened to", () => {
  FakeSocket.last.open();
  line.close();
  expect(FakeSocket.last.closed).toBe(1);
  vi.advanceTimersByTime(60_000);
  dispatchEvent(new Event("online"));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(FakeSocket.all.length).toBe(1);
  expect(links).toEqual(["connecting"]);
});

test("closed while waiting to dial again, it does not", () => {
  FakeSocket.last.close();
  line.close();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all.length).toBe(1);
});

test.each(["online", "visibilitychange"])("%s dials at once instead of waiting, but only when cut", (kind) => {
  const target = kind === "online" ? globalThis : document;
  target.dispatchEvent(new Event(kind));
  expect(FakeSocket.all.length).toBe(1);
  FakeSocket.last.close();
  pretend("hidden");
  target.dispatchEvent(new Event(kind));
  expect(FakeSocket.all.length).toBe(1);
  pretend("visible");
  target.dispatchEvent(new Event(kind));
  expect(FakeSocket.all.length).toBe(2);
  vi.advanceTimersByTime(10_000);
  expect(FakeSocket.all.length).toBe(2);
});

test("again says hello anew on another socket, soon", () => {
  for (let i = 0; i < 4; i++) {
    FakeSocket.last.close();
    vi.advanceTimersByTime(8000);
  }
  FakeSocket.last.open();
  const before = FakeSocket.all.length;
  line.again();
  vi.advanceTimersByTime(300);
  expect(FakeSocket.all.length).toBe(before + 1);
});

test("a quiet line is pinged every ten seconds, and one that stays dumb is given up after forty", () => {
  FakeSocket.last.open();
  const first = FakeSocket.last;
  vi.advanceTimersByTime(10_000);
  expect(first.latest("ping")).toBe(undefined);
  vi.advanceTimersByTime(10_000);
  expect(first.sent.filter((one) => one["type"] === "ping").length).toBe(1);
  first.say({ type: "pong" });
  vi.advanceTimersByTime(40_000);
  expect(first.closed).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect(first.closed).toBe(1);
  vi.advanceTimersByTime(300);
  expect(FakeSocket.last).not.toBe(first);
  vi.advanceTimersByTime(9_999);
  expect(first.closed).toBe(1);
});

test("a window closed for newer ones of its seat comes back only when somebody looks at it", () => {
  FakeSocket.last.open();
  FakeSocket.last.close(4001);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all.length).toBe(1);
  pretend("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(FakeSocket.all.length).toBe(2);
});

test("a table that was closed by whoever runs the server is not asked for again, and nothing is said of a cut", () => {
  FakeSocket.last.open();
  FakeSocket.last.say({ type: "pong" });
  const before = links.length;
  FakeSocket.last.close(4004);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all.length).toBe(1);
  expect(links.length).toBe(before);
});
