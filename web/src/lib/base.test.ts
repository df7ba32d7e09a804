// @vitest-environment happy-dom
// The page under a path of a site: what it asks for is there, and what the address bar says is understood.
import { beforeEach, expect, test, vi } from "vitest";

async function told(address: string) {
  document.head.innerHTML = address && `<meta name="cupboard-url" content="${address}" />`;
  vi.resetModules();
  return { ...(await import("./base")), ...(await import("./place.svelte")), ...(await import("./network.svelte")) };
}

beforeEach(() => history.replaceState(null, "", "/"));

test.each([
  ["", "/t/x", "/t/x"],
  ["https://games.example", "/t/x", "/t/x"],
  ["https://games.example/cupboard", "/cupboard/t/x", "/t/x"],
  ["https://games.example/a/b", "/a/b/t/x", "/t/x"],
  ["https://games.example/cupboard", "/cupboard/", "/"],
  ["https://games.example/cupboard", "/cupboard/cupboard", "/cupboard"],
])("told %j, %j is %j", async (address, path, own) => {
  const { url, within } = await told(address);
  expect([url(own), within(path)]).toEqual([path, own]);
});

test("an address without the last slash is home, and one outside is taken as it is", async () => {
  const { within } = await told("https://games.example/cupboard");
  expect(["/cupboard", "/", "/t/x", "/cupboardx"].map(within)).toEqual(["/", "/", "/t/x", "/cupboardx"]);
});

test("one goes by whole addresses, and the page knows what the server calls them", async () => {
  const { place, url, link } = await told("https://games.example/cupboard");
  place.go(url("/t/aB_9?watch"));
  expect([location.pathname, place.path, place.table]).toEqual(["/cupboard/t/aB_9", "/t/aB_9", "aB_9"]);
  place.replace(url("/learn/g"));
  expect([location.pathname, place.words]).toEqual(["/cupboard/learn/g", ["learn", "g"]]);
  const anchor = document.createElement("a");
  anchor.setAttribute("href", url("/"));
  anchor.addEventListener("click", link);
  anchor.dispatchEvent(new MouseEvent("click", { cancelable: true }));
  expect([location.pathname, place.path]).toEqual(["/cupboard/", "/"]);
});

test("links to send begin with what the server is called, however this page came here", async () => {
  expect((await told("https://games.example/cupboard")).network.base).toBe("https://games.example/cupboard");
  expect((await told("")).network.base).toBe(location.origin);
});
