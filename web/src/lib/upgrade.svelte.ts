// A page that stays open while the server is updated: the files it has not loaded yet are gone. It notices, says so,
// and loads itself anew, once; if that did not help, it leaves the next try to the person.

import { url } from "./base";

const MARK = "cupboard.reloaded";
/** Time to read the words. */
const PAUSE = 2500;
const TRY_AGAIN = 2000;
const TRIES = 30;

/** The script of a page: its name has a hash of everything it loads. */
export const scriptOf = (html: string) => /<script\b[^>]*\ssrc="([^"]+)"/.exec(html)?.[1] ?? "";

class Upgrade {
  /** Whether the server has another page than this one, and what comes of it. */
  state = $state<"" | "reloading" | "stuck">("");

  constructor() {
    // A file that was to be loaded is not there: most likely another page has taken the place of this one.
    addEventListener("vite:preloadError", () => void this.#insist());
  }

  /** Ask the server for its page; true when it could be asked. */
  async look(): Promise<boolean> {
    if (this.state || import.meta.env.DEV) return true;
    const html = await fetch(url("/"), { cache: "no-store" })
      .then((answer) => (answer.ok ? answer.text() : ""))
      .catch(() => "");
    const there = scriptOf(html);
    const here = document.querySelector("script[src]")?.getAttribute("src");
    if (there && there !== here && !this.state) this.#reload(there);
    return there !== "";
  }

  /** A server that has just been updated may take a while to come back. */
  async #insist() {
    for (let tries = 0; tries < TRIES && !(await this.look()); tries++) {
      await new Promise((done) => setTimeout(done, TRY_AGAIN));
    }
  }

  #reload(script: string) {
    this.state = remember(script) ? "reloading" : "stuck";
    if (this.state === "reloading") setTimeout(() => location.reload(), PAUSE);
  }
}

/** False when this page has been loaded for that script before: once more would not help. */
function remember(script: string): boolean {
  try {
    if (sessionStorage.getItem(MARK) === script) return false;
    sessionStorage.setItem(MARK, script);
    return true;
  } catch {
    return false; // a browser that keeps nothing could not tell the second time from the first
  }
}

export const upgrade = new Upgrade();
