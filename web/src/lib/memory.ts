// What this device remembers of a person, as JSON. Without storage everything works, only nothing is remembered.

const key = (name: string) => `cupboard.${name}`;

/** What was kept by this name, or `otherwise`: also when something else was kept there. */
export function recall<T extends object>(name: string, otherwise: T): T {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key(name)) ?? "null");
    return kept !== null && typeof kept === "object" && !Array.isArray(kept) ? { ...otherwise, ...kept } : otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name: string, value: object) {
  try {
    localStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    // A private window may keep nothing.
  }
}
