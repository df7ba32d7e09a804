// The language that the page speaks, chosen here or named by an address such as /rules/fr/jumping-cups.

import { url, within } from "./base";
import { LANGUAGES, spoken } from "./messages";

const RULES = /^\/rules(?:\/([^/]*))?/;
const YEAR = 365 * 86_400;

/** The address of the rules of a game, or of all games, in the language of the page. */
export const rulesAddress = (game = "", number = "") =>
  url(`/rules/${spoken()}${game && `/${game}`}${number && `#${number}`}`);

/** The language that an address names, if there is such a language. */
export function languageOf(path: string): string | undefined {
  const named = RULES.exec(within(path))?.[1];
  return LANGUAGES.find((tag) => tag === named);
}

/** An address without the language that it names: the server's own words for the page. */
export const withoutLanguage = (path: string) => {
  const named = RULES.exec(path)?.[1];
  return named && LANGUAGES.includes(named) ? path.replace(`/rules/${named}`, "/rules") : path;
};

/** A cookie for what the server writes: previews, pictures, and the language of the page before its script runs. */
export function tellServer(language: string) {
  document.cookie = `cupboard-language=${language}; path=${url("/")}; max-age=${YEAR}; samesite=lax`;
}

/** Load this page anew in another language; an address that names one gets the other. */
export function reloadIn(language: string) {
  const path = within(location.pathname);
  if (!languageOf(location.pathname)) return location.reload();
  location.assign(url(path.replace(/^\/rules\/[^/]+/, `/rules/${language}`)) + location.search + location.hash);
}
