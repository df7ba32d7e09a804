// A table's socket that comes back by itself: after a cut it says hello with what it already has.

import type { ClientMessage, ServerMessage } from "../wire.gen";

/** `away`: the server has said that it restarts, and another one, or the same, will be there in a moment. */
export type Link = "connecting" | "live" | "away" | "lost";

const PAUSES = [300, 700, 1500, 3000, 5000, 8000];
/** Each pause is up to so much longer, by lot: pages that lost a server together do not come back in one moment. */
const JITTER = 0.5;
/** The server stops, for a restart mostly. */
const RESTART = 1012;
const RESTART_PAUSE = 1000;
/** Nobody is told before that the line is cut when a server restarts. */
const PATIENCE = 2500;
const QUIET = 20_000;
/** The server closed this window for newer ones of the same seat. Coming back at once would close one of those. */
const TOO_MANY_WINDOWS = 4001;
/** Whoever runs the server has closed the table: what has been said of it is all there is. */
const TABLE_CLOSED = 4004;

export class Line {
  #socket: WebSocket | undefined;
  #tries = 0;
  #closed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly path: string,
    private readonly hello: () => ClientMessage,
    private readonly onmessage: (message: ServerMessage) => void,
    private readonly onlink: (link: Link) => void,
  ) {
    this.#open();
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
  }

  /** False when there is nobody to hear it. */
  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#patience);
    clearInterval(this.#ping);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket?.close();
  }

  /** Say hello anew: this client holds other seats now. */
  again() {
    this.#tries = 0;
    this.#socket?.close();
  }

  #hurry = () => {
    if (document.visibilityState === "hidden" || this.#closed) return;
    if (this.#socket === undefined) {
      clearTimeout(this.#timer);
      this.#open();
    }
  };

  /** Begin or end the time in which a server that restarts is waited for. */
  #wait(begins: boolean) {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    if (!begins) return;
    this.onlink("away");
    this.#patience = setTimeout(() => {
      this.#patience = undefined;
      this.onlink("lost");
    }, PATIENCE);
  }

  #open() {
    if (this.#patience === undefined) this.onlink(this.#tries ? "lost" : "connecting");
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${this.path}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
      socket.send(JSON.stringify(this.hello()));
    };
    socket.onmessage = (event) => {
      this.#heard = Date.now();
      this.#tries = 0;
      this.#wait(false);
      this.onlink("live");
      this.onmessage(JSON.parse(String(event.data)) as ServerMessage);
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      clearInterval(this.#ping);
      this.#socket = undefined;
      if (this.#closed || code === TABLE_CLOSED) return;
      if (code === RESTART && this.#patience === undefined) this.#wait(true);
      if (this.#patience === undefined) this.onlink("lost");
      if (code === TOO_MANY_WINDOWS) return; // until somebody looks at it again
      const pause = PAUSES[Math.min(this.#tries++, PAUSES.length - 1)]!;
      const wait = code === RESTART ? RESTART_PAUSE * Math.random() : pause * (1 + JITTER * Math.random());
      this.#timer = setTimeout(() => this.#open(), wait);
    };
    clearInterval(this.#ping);
    // A phone that slept may hold a dead socket without knowing.
    this.#ping = setInterval(() => {
      if (Date.now() - this.#heard > 2 * QUIET) socket.close();
      else if (Date.now() - this.#heard > QUIET / 2) this.send({ type: "ping" });
    }, QUIET / 2);
  }
}
