// Stands between the page and the server for one thing only: when the server is away, a start page says so and waits.
// Everything comes from the network, so no old page is ever shown; what is kept is the start page and its two files.
const KEPT = "cupboard-away";
/** The path under which the page lives, which begins and ends with a slash. */
const BASE = new URL("./", self.location.href).pathname;
const FILES = ["away.css", "away.js", "icon.svg"].map((name) => BASE + name);
const PAGE = `${BASE}away`;
/** Answers of a proxy whose server is away. */
const AWAY = [502, 504];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function kept(path) {
  const cache = await caches.open(KEPT);
  return (await cache.match(path)) ?? Response.error();
}

async function visited(request) {
  try {
    const answer = await fetch(request);
    if (!AWAY.includes(answer.status)) return answer;
  } catch {
    // Nobody answers.
  }
  return kept(PAGE);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(visited(request));
  else if (FILES.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { address } = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((pages) => {
      const there = pages.find((page) => new URL(page.url).pathname === new URL(address).pathname);
      return there ? there.focus() : self.clients.openWindow(address);
    }),
  );
});
