// Every word on the page comes from here: one catalogue for each language, plural forms by Intl.

import english from "./messages/en.json";

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type Catalogue = Record<string, string | Forms>;
type Values = Record<string, string | number>;

const others = import.meta.glob<{ default: Catalogue }>(["./messages/*.json", "!./messages/en.json"]);

let language = "en";
let words: Catalogue = english;

/** The languages there are catalogues for: a new file in messages/ is all a language needs. */
export const LANGUAGES = ["en", ...Object.keys(others).map((path) => path.replace(/^.*\/|\.json$/g, ""))];

/** Take the first wanted language there is; words that it lacks stay English. */
export async function speak(wanted: readonly string[]): Promise<string> {
  const found = wanted.map((tag) => tag.toLowerCase().split("-")[0] ?? "").find((tag) => LANGUAGES.includes(tag));
  language = found ?? "en";
  const load = others[`./messages/${language}.json`];
  words = language === "en" || !load ? english : { ...english, ...(await load()).default };
  return language;
}

/** The message `key` with {names} filled in; {count} chooses the plural form. */
export function t(key: string, values: Values = {}): string {
  return fill(words[key] ?? key, values, language);
}

export function fill(message: string | Forms, values: Values, tag: string): string {
  const count = values["count"];
  const form =
    typeof message === "string"
      ? message
      : (message[new Intl.PluralRules(tag).select(typeof count === "number" ? count : 0)] ?? message.other);
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? new Intl.NumberFormat(tag).format(value) : value;
  });
}

/** The hour if it was today, else the day. */
export function when(milliseconds: number, now = Date.now()): string {
  const today = new Date(milliseconds).toDateString() === new Date(now).toDateString();
  const style = today ? ({ timeStyle: "short" } as const) : ({ dateStyle: "medium" } as const);
  return new Intl.DateTimeFormat(language, style).format(milliseconds);
}

export function list(items: readonly string[]): string {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(items);
}
