// Searching rules as people type: without capitals and accents, by beginnings, with slips, and by words that mean alike.

import { stem } from "./stems";

export interface Entry {
  game: string;
  number: string;
  text: string;
}

export interface Hit extends Entry {
  /** The part of the text where it was found, in pieces; those with `true` are what was looked for. */
  snippet: [text: string, found: boolean][];
}

/** How well a word fits: as typed, its beginning, its stem, in the middle of it, with a slip, or a stem with a longer ending. */
const FIT = { whole: 10, begins: 8, stem: 6, inside: 5, slip: 4, far: 3 };
const ALIKE = 0.6;
/** What fits much worse than the best is left out. */
const WORTH_SHOWING = 0.4;
const AROUND = 60;

/** Letters that are no plain letter with a mark. */
const LETTERS: Readonly<Record<string, string>> = { ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe", đ: "d" };

/** A text without capitals, accents and ligatures: what people type who do not have these letters. */
export const fold = (text: string): string =>
  text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[ßłøæœđ]/g, (letter) => LETTERS[letter] ?? letter);

const WORD = /[\p{L}\p{N}]+(?:-[\p{L}]?\d+)?/gu;
const wordsOf = (text: string): string[] => fold(text).match(WORD) ?? [];

/** How many letters must be put in, left out, changed or swapped to make one word of the other; more than `most` is `most` + 1. */
export function slips(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      row[j] = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j] ?? 0, (before[j - 2] ?? 0) + 1);
    }
    [before, last] = [last, row];
  }
  return Math.min(last[other.length] ?? most + 1, most + 1);
}

/** How well a word that is looked for fits one of a text; 0 is not at all. */
export function fit(wanted: string, word: string, language = ""): number {
  if (word === wanted || word.replace("-", "") === wanted || (/^\d+$/.test(wanted) && word.endsWith(`-${wanted}`))) return FIT.whole;
  if (/\d/.test(wanted) || wanted.length < 2) return 0;
  if (word.startsWith(wanted)) return FIT.begins;
  if (stem(wanted, language) === stem(word, language)) return FIT.stem;
  // "jumping" finds "jump", and "Becher" "Bechern": what differs is an ending.
  let alike = 0;
  while (alike < wanted.length && wanted[alike] === word[alike]) alike++;
  const differs = Math.max(wanted.length, word.length) - alike;
  if (alike >= 4 && differs <= 2) return FIT.stem;
  if (wanted.length >= 4 && word.includes(wanted)) return FIT.inside;
  const most = wanted.length >= 7 ? 2 : wanted.length >= 4 ? 1 : 0;
  if (most && (slips(wanted, word, most) <= most || slips(wanted, word.slice(0, wanted.length), most) <= most)) return FIT.slip;
  if (alike >= 4 && differs <= 3) return FIT.far;
  return 0;
}

export class Search {
  readonly #entries: { entry: Entry; words: string[] }[];
  readonly #alike: Map<string, string[][][]>;

  /** `alike`: for each game its words and phrases that mean alike, as the catalogue has them: "stuck, blocked; over, beyond". */
  constructor(
    entries: readonly Entry[],
    alike: Readonly<Record<string, string>> = {},
    /** The language of the texts, for the endings of its words. */
    private readonly language = "",
  ) {
    this.#entries = entries.map((entry) => ({ entry, words: wordsOf(`${entry.number} ${entry.text}`) }));
    const groups = (line: string) => line.split(";").map((group) => group.split(",").map(wordsOf));
    this.#alike = new Map(Object.entries(alike).map(([game, line]) => [game, groups(line)]));
  }

  find(query: string, most = 12): Hit[] {
    const wanted = wordsOf(query);
    if (!wanted.length) return [];
    const games = [...new Set(this.#entries.map(({ entry }) => entry.game))];
    const ways = new Map(games.map((game) => [game, wanted.map((word) => [[word], ...this.#others(game, word, wanted)])]));
    const scored = this.#entries.map(({ entry, words }) => {
      const best = (ways.get(entry.game) ?? []).map((some) =>
        some.map((phrase, i) => ({ phrase, worth: Math.min(...phrase.map((one) => this.#fits(one, words))) * (i ? ALIKE : 1) })).reduce((a, b) => (b.worth > a.worth ? b : a)),
      );
      return { entry, best, found: best.filter(({ worth }) => worth > 0).length };
    });
    // A word that is in few rules says more than one that is in most.
    const weights = wanted.map((_, i) => Math.log(1 + scored.length / (1 + scored.filter(({ best }) => (best[i]?.worth ?? 0) > 0).length)));
    const enough = Math.max(...scored.map(({ found }) => found), 1);
    const weighed = scored
      .filter(({ found }) => found === enough && found > 0)
      .map((one) => ({ ...one, worth: one.best.reduce((sum, { worth }, i) => sum + worth * (weights[i] ?? 1), 0) }))
      .sort((a, b) => b.worth - a.worth);
    return weighed
      .filter(({ worth }) => worth >= (weighed[0]?.worth ?? 0) * WORTH_SHOWING)
      .slice(0, most)
      .map(({ entry, best }) => ({ ...entry, snippet: snippet(entry.text, best.flatMap(({ phrase, worth }) => (worth > 0 ? phrase : [])), this.language) }));
  }

  /** Other words for a word: the rest of each group that has it, or a phrase of which it is a part. */
  #others(game: string, word: string, wanted: readonly string[]): string[][] {
    const has = (phrase: string[]) => phrase.some((one) => fit(word, one, this.language) > 0) && phrase.every((one) => wanted.some((other) => fit(other, one, this.language) > 0));
    return (this.#alike.get(game) ?? []).filter((group) => group.some(has)).flat().filter((phrase) => phrase.length);
  }

  #fits(wanted: string, words: readonly string[]): number {
    return Math.max(0, ...words.map((word) => fit(wanted, word, this.language)));
  }
}

/** The text around the first word that fits, and which of its words do. */
function snippet(text: string, wanted: readonly string[], language: string): [string, boolean][] {
  const found = [...text.matchAll(WORD)].filter(([word]) => wanted.some((one) => fit(one, fold(word), language) > 0));
  const first = found[0]?.index ?? 0;
  const cut = first > AROUND ? text.indexOf(" ", first - AROUND) + 1 : 0;
  const end = text.length - cut > 3 * AROUND ? text.lastIndexOf(" ", cut + 3 * AROUND) : text.length;
  const pieces: [string, boolean][] = [];
  let at = cut;
  for (const { index, 0: word } of found) {
    if (index < cut || index + word.length > end) continue;
    if (index > at) pieces.push([text.slice(at, index), false]);
    pieces.push([word, true]);
    at = index + word.length;
  }
  if (end > at) pieces.push([text.slice(at, end), false]);
  if (cut) pieces.unshift(["… ", false]);
  if (end < text.length) pieces.push([" …", false]);
  return pieces;
}
