// The language that the page speaks, chosen here or named by an address: those of the rules carry it.

import { url, within } from "./base";
import { LANGUAGES, spoken } from "./messages";

const YEAR = 365 * 86_400;

/** The address of the rules of a game, or of all games, in the language of the page. */
export const rulesAddress = (game = "", number = "") => rulesIn(spoken(), game) + (number && `#${number}`);

const rulesIn = (language: string, game: string) => (game ? url(`/rules/${language}/${game}`) : url(`/rules/${language}`));

/** The words of an address: what page it is, the language it names if it names one, and the rest. */
function parts(path: string): [page: string, language: string | undefined, rest: string[]] {
  const [page = "", second, ...rest] = path.split("/").filter(Boolean);
  const language = page === "rules" ? LANGUAGES.find((tag) => tag === second) : undefined;
  return [page, language, language || !second ? rest : [second, ...rest]];
}

/** The language that an address names, if there is such a language. */
export const languageOf = (address: string): string | undefined => parts(within(address))[1];

/** The words of a path without the language that it names: "rules" and the name of a game. */
export function wordsOf(path: string): string[] {
  const [page, , rest] = parts(path);
  return page ? [page, ...rest] : [];
}

/** A cookie for what the server writes: previews, pictures, and the language of the page before its script runs. */
export function tellServer(language: string) {
  document.cookie = `cupboard-language=${language}; path=${url("/")}; max-age=${YEAR}; samesite=lax`;
}

/** Load this page anew in another language; an address that names one gets the other. */
export function reloadIn(language: string) {
  if (!languageOf(location.pathname)) return location.reload();
  const [, game = ""] = wordsOf(within(location.pathname));
  location.assign(rulesIn(language, game) + location.search + location.hash);
}
