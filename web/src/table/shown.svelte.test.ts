// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { expect, test } from "vitest";
import { changed } from "../board/scene";
import { demo } from "../test/demos";
import type { Scene } from "../wire.gen";
import { Shown } from "./shown.svelte";
import type { Table } from "./table.svelte";

/** What a page sees of a table, and how often its ground was laid out. */
function watched(scene: Scene) {
  let now = $state.raw(scene);
  let wide = $state(1200);
  const table = { get scene() { return now; }, seat: 0, seats: [], filling: null, palette: [], waiting: false, steps: { shown: null, isBack: false }, motions: { shot: null } };
  const shown = new Shown(table as unknown as Table, false, () => wide);
  const laid: unknown[] = [];
  const stop = $effect.root(() => {
    $effect(() => void laid.push(shown.sections));
  });
  flushSync();
  return { shown, laid, stop, tell: (next: Scene) => ((now = next), flushSync()), resize: (to: number) => ((wide = to), flushSync()) };
}

test("the ground is laid out anew when places change, not when pieces move", () => {
  const scene = demo("cup-king")[0]!.scene;
  const { shown, laid, stop, tell, resize } = watched(scene);
  const place = scene.parts[0]!;
  const say = (part: object) => tell(changed(shown.scene!, { status: ["x"], players: [], parts: [{ id: place.id, ...part }] }));
  expect(laid.length).toBe(1);
  say({ pieces: [] });
  expect([shown.scene!.parts[0]!.pieces, laid.length]).toEqual([[], 1]);
  say({ cells: [...place.cells!] });
  expect(laid.length).toBe(2);
  say({ role: "open" });
  expect(laid.length).toBe(3);
  tell(changed(shown.scene!, { status: ["x"], players: [], order: scene.parts.slice(1).map((part) => part.id) }));
  expect(laid.length).toBe(4);
  resize(1100);
  expect(laid.length).toBe(4);
  resize(800);
  expect(laid.length).toBe(5);
  stop();
});
