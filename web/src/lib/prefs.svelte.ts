// What this device remembers: theme, sound, language, and how tables are shown. Without storage everything works, only nothing is remembered.

import { reloadIn, tellServer } from "./language";

type Theme = "auto" | "light" | "dark";
type PaceName = "once" | "calm" | "step";

function read(name: string): string | null {
  try {
    return localStorage.getItem(`cupboard.${name}`);
  } catch {
    return null;
  }
}

function write(name: string, value: string) {
  try {
    localStorage.setItem(`cupboard.${name}`, value);
  } catch {
    // A private window may keep nothing.
  }
}

/** After so many moves of a game one knows what a move is. */
const FIRST_MOVES = 2;

/** Whole numbers by name; what was kept otherwise counts for nothing. */
function counts(kept: string | null): Record<string, number> {
  try {
    const all = Object.entries(JSON.parse(kept ?? "{}") as Record<string, unknown>);
    return Object.fromEntries(all.filter((one): one is [string, number] => Number.isInteger(one[1])));
  } catch {
    return {};
  }
}

class Prefs {
  theme = $state<Theme>((read("theme") as Theme | null) ?? "auto");
  // On a phone others are near: silent until asked for.
  sound = $state(read("sound") === null ? !matchMedia("(pointer: coarse)").matches : read("sound") === "on");

  /** Whether tables that can be are shown in space; null: nobody has said. */
  space = $state<boolean | null>({ on: true, off: false }[read("space") ?? ""] ?? null);

  /** How fast the moves of bots are shown; null: nobody has said. */
  pace = $state<PaceName | null>(({ once: "once", calm: "calm", step: "step" } as const)[read("pace") ?? ""] ?? null);

  /** Whether boards show the name of each place, as moves are written with it. */
  coordinates = $state(read("coordinates") === "on");
  /** How many moves have been made here, by the name of the game; no more are counted than a beginner makes. */
  moves = $state.raw<Readonly<Record<string, number>>>(counts(read("moves")));
  /** Whether to be told by the system when it is one's turn: only once somebody has asked for it. */
  notify = $state(read("notify") === "on");

  /** Empty: as the browser says. */
  language = read("language") ?? "";

  setTheme(theme: Theme) {
    this.theme = theme;
    write("theme", theme);
    this.apply();
  }

  setSound(on: boolean) {
    this.sound = on;
    write("sound", on ? "on" : "off");
  }

  setSpace(on: boolean) {
    this.space = on;
    write("space", on ? "on" : "off");
  }

  setPace(pace: PaceName) {
    this.pace = pace;
    write("pace", pace);
  }

  setCoordinates(on: boolean) {
    this.coordinates = on;
    write("coordinates", on ? "on" : "off");
  }

  /** Whether the game is new to whoever sits here: they are told what to do, not only whose turn it is. */
  isNew(game: string): boolean {
    return (this.moves[game] ?? 0) < FIRST_MOVES;
  }

  countMove(game: string) {
    if (!this.isNew(game)) return;
    this.moves = { ...this.moves, [game]: (this.moves[game] ?? 0) + 1 };
    write("moves", JSON.stringify(this.moves));
  }

  setNotify(on: boolean) {
    this.notify = on;
    write("notify", on ? "on" : "off");
  }

  /** Everything is said anew. */
  setLanguage(language: string) {
    write("language", language);
    tellServer(language);
    reloadIn(language);
  }

  apply() {
    document.documentElement.dataset["theme"] = this.theme;
  }
}

export const prefs = new Prefs();
