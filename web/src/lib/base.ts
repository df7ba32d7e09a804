// Where the page lives: at the root of a site, or under a path such as /cupboard/ (`cupboard serve --url`).

/** The address people reach the server by, without its last slash; empty when its administrator has not told it. */
export const told = globalThis.document?.querySelector<HTMLMetaElement>("meta[name=cupboard-url]")?.content ?? "";
const base = told && new URL(told).pathname.replace(/\/$/, "");

/** The address of something at the server, which calls it by `path`. Every path that begins with a slash goes through here. */
export const url = (path: string) => base + path;

/** What the server calls the path of an address: the other way round. */
export function within(path: string): string {
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
