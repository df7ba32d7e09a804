// Calling somebody who is looking elsewhere: it is their turn. In the tab's icon, on the icon of the installed page, and,
// if they have asked for it, as a notification of the system.

import { url } from "./base";
import { prefs } from "./prefs.svelte";

/** Whether this browser can show notifications at all: not on plain http from elsewhere. */
export const canNotify = () => "Notification" in globalThis && globalThis.isSecureContext !== false;

/** Ask the browser, after a click on the switch, and remember the answer. Resolves to whether notifications are on. */
export async function askToNotify(): Promise<boolean> {
  const answer = Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  prefs.setNotify(answer === "granted");
  return prefs.notify;
}

/** Tell somebody who does not see the page that it is their turn at a table. */
export async function notify(title: string, words: string, tag: string, address: string) {
  if (!document.hidden || !prefs.notify || !canNotify() || Notification.permission !== "granted") return;
  const options = { body: words, tag, icon: url("/icon-192.png"), data: { address } };
  try {
    // Phones show those of a service worker only.
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) return await worker.showNotification(title, options);
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // A browser that has changed its mind.
  }
}

/** Take back what was shown for a table: it has been seen. */
export async function hush(tag: string) {
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  for (const shown of (await worker?.getNotifications?.({ tag })) ?? []) shown.close();
}

/** Mark the tab and the installed page's icon, or take the mark away. */
export function badge(isOn: boolean) {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const wanted = isOn ? url("/icon-turn.svg") : url("/icon.svg");
  if (icon && icon.getAttribute("href") !== wanted) icon.href = wanted;
  const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>;
  void (isOn ? setAppBadge?.call(navigator, 1) : clearAppBadge?.call(navigator))?.catch(() => {});
}
