// What tests put in place of a server: sockets that keep what they are sent, and answers to requests.

import type { ServerMessage, Update } from "../wire.gen";

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readyState = 0;
  sent: Record<string, unknown>[] = [];
  closed = 0;
  onopen: (() => void) | undefined;
  onmessage: ((event: { data: string }) => void) | undefined;
  onclose: ((event: { code: number }) => void) | undefined;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(code = 1006) {
    this.closed++;
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** The server accepts. */
  open() {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  /** The server says something. */
  say(message: ServerMessage) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** What was sent of a kind, the latest. */
  latest(type: string): Record<string, unknown> | undefined {
    return this.sent.findLast((message) => message["type"] === type);
  }
}

/** Every request is kept, and answered from this list by its path's beginning; a function may look at the request. */
export class FakeServer {
  asked: { method: string; path: string; body: unknown }[] = [];
  answers: Record<string, unknown> = {};
  status = 200;
  down = false;

  fetch = (path: string, options: { method?: string; body?: string } = {}): Promise<Response> => {
    const request = { method: options.method ?? "GET", path, body: options.body ? (JSON.parse(options.body) as unknown) : undefined };
    this.asked.push(request);
    if (this.down) return Promise.reject(new TypeError("offline"));
    const key = Object.keys(this.answers)
      .filter((start) => `${request.method} ${path}`.startsWith(start) || path.startsWith(start))
      .sort((a, b) => b.length - a.length)[0];
    const found = key === undefined ? undefined : this.answers[key];
    const answer = typeof found === "function" ? (found as (asked: typeof request) => unknown)(request) : found;
    const status = answer === undefined ? 404 : this.status;
    const text = typeof answer === "string" ? answer : JSON.stringify(answer ?? { code: "not-found", sentence: "Not there." });
    return Promise.resolve(new Response(status === 204 ? null : text, { status, headers: { "content-language": "de" } }));
  };
}

/** An update with what every update has. */
export function update(more: Partial<Update> & { version: number }): Update & { type: "update" } {
  return {
    type: "update",
    events: [],
    status: "playing",
    scene: { title: ["seat.red"], status: ["seat.red"], parts: [], players: [] },
    ...more,
  } as Update & { type: "update" };
}
