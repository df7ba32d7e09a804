// What this device remembers: theme and sound. Without storage everything works, only nothing is remembered.

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

  setTheme(theme: Theme) {
    this.theme = theme;
    write("theme", theme);
    this.apply();
  }

  setSound(on: boolean) {
    this.sound = on;
    write("sound", on ? "on" : "off");
  }

  apply() {
    document.documentElement.dataset["theme"] = this.theme;
  }
}

export const prefs = new Prefs();
