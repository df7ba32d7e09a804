// Where in the page we are: "/" is home, "/t/ID" a table, "/learn/GAME" and its like the other pages.

import { url, within } from "./base";
import { wordsOf } from "./language";

class Place {
  /** What the server calls this page, wherever it lives. */
  path = $state(within(location.pathname));
  search = $state(location.search);

  constructor() {
    addEventListener("popstate", () => this.#look());
  }

  /** Go to an address that `url` has made. */
  go(address: string) {
    history.pushState(null, "", address);
    this.#look();
    scrollTo(0, 0);
  }

  /** Take a secret out of the address without leaving the page. */
  replace(address: string) {
    history.replaceState(null, "", address);
    this.#look();
  }

  readonly table = $derived(/^\/t\/([A-Za-z0-9_-]+)\/?$/.exec(this.path)?.[1] ?? null);
  /** The words of the address: "learn" and the name of a game. */
  readonly words = $derived(wordsOf(this.path));
  readonly query = $derived(new URLSearchParams(this.search));

  #look() {
    this.path = within(location.pathname);
    this.search = location.search;
  }
}

export const place = new Place();

/** An anchor that does not load the page anew. */
export function link(event: MouseEvent) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  place.go((event.currentTarget as HTMLAnchorElement).getAttribute("href") ?? url("/"));
}
