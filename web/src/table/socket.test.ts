import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Line } from "./socket";

let opened: FakeSocket[] = [];
let look = () => {};

class FakeSocket {
  static OPEN = 1;
  readyState = 1;
  onclose = (_: { code: number }) => {};
  constructor() {
    opened.push(this);
  }
  send() {}
  close() {}
}

beforeEach(() => {
  opened = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { protocol: "http:", host: "here" });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("document", {
    visibilityState: "visible",
    addEventListener: (_: string, listener: () => void) => (look = listener),
    removeEventListener: () => {},
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const line = () => new Line("/socket", () => ({ type: "ping" }), () => {}, () => {});

test("after a cut the line comes back by itself", () => {
  const made = line();
  opened[0]?.onclose({ code: 1006 });
  vi.advanceTimersByTime(10_000);
  expect(opened.length).toBe(2);
  made.close();
});

test("a window closed for newer ones of its seat comes back when somebody looks at it", () => {
  const made = line();
  opened[0]?.onclose({ code: 4001 });
  vi.advanceTimersByTime(60_000);
  expect(opened.length).toBe(1);
  look();
  expect(opened.length).toBe(2);
  made.close();
});
