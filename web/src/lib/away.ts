// The page can be installed, and opens when the server is away: a service worker (public/sw.js) then shows a start page,
// which is kept here, in the language of this page. Nothing else is kept, so nothing old is ever shown.

import { url } from "./base";
import { direction, spoken, t } from "./messages";
import { prefs } from "./prefs.svelte";

const FILES = ["away.css", "away.js", "icon.svg"].map((name) => url(`/${name}`));
const [STYLE, SCRIPT, ICON] = FILES;
const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'";

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The start page as HTML. */
export function awayPage(): string {
  const say = (key: string) => escaped(t(key));
  return `<!doctype html><html lang="${spoken()}" dir="${direction(spoken())}" data-theme="${prefs.theme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Cupboard</title>
<link rel="icon" type="image/svg+xml" href="${ICON}"><link rel="stylesheet" href="${STYLE}">
<main><img src="${ICON}" alt="" width="96" height="96"><h1>${say("away.title")}</h1><p role="status">${say("away.words")}</p>
<button type="button">${say("away.again")}</button></main><script src="${SCRIPT}"></script></html>`;
}

/** Keep the start page as it is now, and let the service worker stand by. Without either the page works as before. */
export async function standBy() {
  if (import.meta.env.DEV || !("serviceWorker" in navigator) || !("caches" in globalThis)) return;
  try {
    await navigator.serviceWorker.register(url("/sw.js"), { updateViaCache: "none" });
    const cache = await caches.open("cupboard-away");
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-store" })));
    const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY };
    await cache.put(url("/away"), new Response(awayPage(), { headers }));
  } catch {
    // A private window, a full disk, or a server that has just gone: then there is no start page.
  }
}
