import { flushSync, mount, tick, unmount, type Component } from "svelte";
import { afterEach, beforeEach, vi } from "vitest";

/** An element of the document, a new one for each test. */
export let target: HTMLElement;
let app: ReturnType<typeof mount> | undefined;

beforeEach(() => {
  target = document.createElement("div");
  document.body.append(target);
});
afterEach(() => target.remove());

/** Mounts a component on the target. */
export function stage(component: unknown, props: Record<string, unknown>): void {
  app = mount(component as Component, { target, props });
  flushSync();
}

/** Unmounts what was mounted last; before the globals that it uses are put back. */
export async function close(): Promise<void> {
  if (app) await unmount(app);
  app = undefined;
  target.innerHTML = "";
}

/** Lets so many milliseconds of the fake clock pass, and everything that follows from them. */
export async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await tick();
  flushSync();
}
