// Every word on the page comes from here: catalogues for each language, plural forms by Intl.
// The page's own are in messages/, those of scenes and refusals beside the Python that says them (core/words.py).

import type { Words } from "../wire.gen";

/** Plural forms, with "other"; or the forms of a thing's name, with "base", which each language calls as it likes. */
type Forms = Readonly<Record<string, string>>;
export type Catalogue = Record<string, string | Forms>;
export type Value = string | number | Words;
type Values = Record<string, Value>;

const english = together(
  import.meta.glob<Catalogue>(["./messages/en.json", "../../../src/cupboard/**/strings/en.json", "!../../../src/cupboard/cli/**"], { eager: true, import: "default" }),
);
const others = import.meta.glob<Catalogue>(
  ["./messages/*.json", "../../../src/cupboard/**/strings/*.json", "!./messages/en.json", "!../../../src/cupboard/**/en.json", "!../../../src/cupboard/cli/**"],
  { import: "default" },
);

/** A language that nobody speaks: each message in brackets, so that text from elsewhere shows. */
const BRACKETS = "en-xa";

let language = "en";
let words: Catalogue = english;

const languageOf = (path: string) => path.replace(/^.*\/|\.json$/g, "");

/** The languages there are catalogues for: new files in messages/ and strings/ are all a language needs. */
export const LANGUAGES = ["en", ...[...new Set(Object.keys(others).map(languageOf))].sort()];

/** What a game says has the game's name before its key: src/cupboard/games/my_game/strings → "my-game." */
function together(files: Record<string, Catalogue>): Catalogue {
  const all = Object.entries(files).map(([path, messages]) => {
    const game = /\/games\/(\w+)\//.exec(path)?.[1]?.replaceAll("_", "-");
    return Object.entries(messages).map(([key, message]) => [game ? `${game}.${key}` : key, message] as const);
  });
  return Object.fromEntries(all.flat());
}

/** The language now; it changes only with the page. */
export const spoken = () => language;

/** What a language is called by those who speak it. */
export const nameOf = (tag: string) => {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
};

/** Which way a language is written. */
export const direction = (tag: string) => (/^(ar|fa|he|ur|yi)\b/.test(tag) ? "rtl" : "ltr");

/** Take the first wanted language there is; words that it lacks stay English. */
export async function speak(wanted: readonly string[]): Promise<string> {
  if (wanted.some((tag) => tag.toLowerCase() === BRACKETS)) {
    words = bracketed(english);
    return language;
  }
  const found = wanted.map((tag) => tag.toLowerCase().split("-")[0] ?? "").find((tag) => LANGUAGES.includes(tag));
  language = found ?? "en";
  const files = Object.entries(others).filter(([path]) => languageOf(path) === language);
  const loaded = await Promise.all(files.map(async ([path, load]) => [path, await load()] as const));
  words = { ...english, ...together(Object.fromEntries(loaded)) };
  return language;
}

/** Whether the catalogues have these words. */
export const knows = ([key]: Words) => key in words;

/** Take in words that this page was not built with: those of a game that came later. */
export function learn(more: Catalogue) {
  words = { ...more, ...words };
}

function bracketed(messages: Catalogue): Catalogue {
  const wrap = (text: string) => `⟦${text}⟧`;
  const all = Object.entries(messages).map(([key, message]) => {
    if (typeof message === "string") return [key, wrap(message)];
    return [key, Object.fromEntries(Object.entries(message).map(([form, text]) => [form, wrap(text)]))];
  });
  return Object.fromEntries(all) as Catalogue;
}

/** The message `key` with {names} filled in; {count} chooses the plural form, {name.form} that of a thing's name. */
export function t(key: string, values: Values = {}, form = ""): string {
  return fill(words[key] ?? key, values, language, form);
}

/** What the server says: words of the catalogues, in the form that is asked for, or what is the same in every language. */
export function say(value: Value | null | undefined, more: Values = {}, form = ""): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return new Intl.NumberFormat(language).format(value);
  if (typeof value === "string") return value;
  const [key, values = {}] = value;
  if (!Array.isArray(values)) return t(key, { ...values, ...more }, form);
  // A phrase without values of its own comes with an empty list.
  return key.startsWith("join.") ? join(key, values.map((item) => say(item, {}, form))) : t(key, more, form);
}

/** A colour with the letter that people read on its pieces; notation and records keep the one it came with. */
export function lettered<T extends { name: string; letter: string }>(tint: T): T {
  const letter = words[`letter.${tint.name}`];
  return typeof letter === "string" && letter !== tint.letter ? { ...tint, letter } : tint;
}

/** The same to the one it is about: "You need …", where the catalogue has the message a second time with `.you`. */
export function sayToYou(value: Words): string {
  const [key, ...values] = value;
  return say(words[`${key}.you`] ? [`${key}.you`, ...values] : value);
}

/** "a, b and c": the last two by the message itself, those before by a comma; sentences all by a blank. */
function join(key: string, items: readonly string[]): string {
  const before = key === "join.and" || key === "join.or" ? "join.list" : key;
  const [first = "", ...rest] = items;
  return rest.reduce((most, last, i) => t(i === rest.length - 1 ? key : before, { most, last }), first);
}

export function fill(message: string | Forms, values: Values, tag: string, form = ""): string {
  return chosen(message, values["count"], tag, form).replace(/\{(\w+)(?:\.([\w-]+))?\}/g, (whole, name: string, asked = "") => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? new Intl.NumberFormat(tag).format(value) : say(value, {}, asked);
  });
}

/** The form of a name that is asked for, else its base; the plural form that the count takes. */
function chosen(message: string | Forms, count: Value | undefined, tag: string, form: string): string {
  if (typeof message === "string") return message;
  const key = "base" in message ? form || "base" : new Intl.PluralRules(tag).select(typeof count === "number" ? count : 0);
  return message[key] ?? message["base"] ?? message["other"] ?? "";
}

/** The language as it is written where the browser is from: en-GB for English. */
const region = () => navigator.languages.find((tag) => tag.toLowerCase().split("-")[0] === language) ?? language;

/** How the browser's own language counts the hours: whoever reads the page in another one still has 24 of them. */
const hourCycle = () => new Intl.DateTimeFormat(navigator.language, { hour: "numeric" }).resolvedOptions().hourCycle;

/** The hour if it was today, else the day. */
export function when(milliseconds: number, now = Date.now()): string {
  const today = new Date(milliseconds).toDateString() === new Date(now).toDateString();
  const style = today ? ({ timeStyle: "short", hourCycle: hourCycle() } as const) : ({ dateStyle: "medium" } as const);
  return new Intl.DateTimeFormat(region(), style).format(milliseconds);
}

/** "a, b and c". */
export function list(items: readonly string[]): string {
  return join("join.and", items);
}
