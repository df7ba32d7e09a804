// The numbered rules of a game: asked for once, and which of them explains a sentence.

import { api } from "../lib/api";
import type { Rule, RulebookInfo, RuleScene, Span, Words } from "../wire.gen";
import { knows, spoken, t } from "../lib/messages";
import type { Entry } from "./search";

const books = new Map<string, Promise<RulebookInfo>>();
const boards = new Map<string, Promise<Map<string, RuleScene>>>();

/** What was asked for once is kept; what failed is asked for again. */
function once<T>(kept: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const found = kept.get(key) ?? ask();
  kept.set(key, found);
  found.catch(() => kept.delete(key));
  return found;
}

export const rulebook = (game: string) => once(books, `${game} ${spoken()}`, () => api.rulebook(game));

/** The boards of the rules by their numbers. */
export const ruleBoards = (game: string) =>
  once(boards, game, async () => {
    const scenes = await api.ruleBoards(game);
    return new Map(scenes.flatMap((scene) => scene.numbers.map((number) => [number, scene] as const)));
  });

/** All rules in reading order. */
export const rulesOf = (book: RulebookInfo): Rule[] => book.groups.flatMap((group) => group.rules);

/** What there is to be found in a game's rules. */
export const entriesOf = (game: string, book: RulebookInfo): Entry[] =>
  rulesOf(book).map((rule) => ({ game, number: rule.number, text: [rule.question ?? [], rule.text].map(plain).join(" ").trim() }));

/** The words of games that mean alike, which are in their catalogues. */
export const alikeIn = (games: readonly string[]): Record<string, string> =>
  Object.fromEntries(games.filter((game) => knows([`${game}.rules.alike`])).map((game) => [game, t(`${game}.rules.alike`)]));

/** The text without its marks. */
export const plain = (spans: readonly Span[]): string =>
  spans.map(([kind, text]) => (kind === "option" ? "" : text)).join("").replace(/ \(\)/g, "");

/** The numbers of the rules that explain a sentence or the sentences in it, each once. */
export function numbersIn(words: unknown, says: Readonly<Record<string, string>>): string[] {
  if (!Array.isArray(words) || typeof words[0] !== "string") return [];
  const [key, values = {}] = words as Words;
  const own = says[key.replace(/\.you$/, "")];
  const inner = Object.values(values).flatMap((value) => numbersIn(value, says));
  return [...new Set(own ? [own, ...inner] : inner)];
}

export { rulesAddress as address } from "../lib/language";
