// The page may live under a path of a site, so that no address begins with a slash unless `url` of lib/base.ts made it.
import { expect, test } from "vitest";

const sources = {
  ...import.meta.glob<string>(["../**/*.{ts,svelte,css}", "!../**/*.test.ts", "!../**/*.gen.ts", "!./*.ts", "!../lib/base.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
  ...import.meta.glob<string>("../../public/*.{js,css,webmanifest}", { query: "?raw", import: "default", eager: true }),
};
/** A quoted slash before a word, a value or nothing that is not for `url`; one in a style; and the site's own address. */
const ADDRESS = /(?<!\burl\()(["'`])\/(?=\1|[\w$?#])|\burl\(\/|\blocation\.origin\b/;
/** Comments, what cuts a path into words or asks where we are, and the one place that makes whole addresses. */
const FINE = [/\.join\("\/"\)/, /^\s*(\/\/|\/\*|\*)/, /\.split\("\/"\)/, /place\.path === "\/"/, /readonly base = \$derived/, /self\.location\.origin/];

const found = (texts: Record<string, string>) =>
  Object.entries(texts).flatMap(([path, text]) =>
    text
      .split("\n")
      .filter((line) => ADDRESS.test(line) && !FINE.some((fine) => fine.test(line)))
      .map((line) => `${path}: ${line.trim()}`),
  );

test("no address begins at the root of the site", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(found(sources)).toEqual([]);
});

test.each([
  'fetch("/api/games")',
  "fetch(`/api/tables/${id}`)",
  '<a href="/learn" onclick={link}>',
  '<a href="/t/{table.id}">',
  "location.href = '/'",
  'const base = "/api";',
  "place.go(`/${kind}`)",
  'icon: "/icon.svg"',
  "background: url(/icon.svg)",
  '"start_url": "/"',
  "const address = `${location.origin}${path}`;",
])("%s would be found", (line) => expect(found({ line })).toHaveLength(1));

test.each(['fetch(url("/api/games"))', "url(`/t/${id}`)", 'isOn ? url("/a.svg") : url("/b.svg")', '// "/learn" lists the games', "fill=\"url(#{uid}-ball)\"", '"</style>"'])(
  "%s is fine",
  (line) => expect(found({ line })).toEqual([]),
);
