// What this device remembers: theme, sound, language, and how tables are shown. Without storage everything works, only nothing is remembered.

type Theme = "auto" | "light" | "dark";

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

class Prefs {
  theme = $state<Theme>((read("theme") as Theme | null) ?? "auto");
  // On a phone others are near: silent until asked for.
  sound = $state(read("sound") === null ? !matchMedia("(pointer: coarse)").matches : read("sound") === "on");

  /** Whether tables that can be are shown in space; null: nobody has said. */
  space = $state<boolean | null>({ on: true, off: false }[read("space") ?? ""] ?? null);

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

  /** Everything is said anew. */
  setLanguage(language: string) {
    write("language", language);
    location.reload();
  }

  apply() {
    document.documentElement.dataset["theme"] = this.theme;
  }
}

export const prefs = new Prefs();
