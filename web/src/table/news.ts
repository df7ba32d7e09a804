// What has happened, in words for a screen reader.

import { say, t } from "../lib/messages";
import type { Event } from "../wire.gen";

/** A sentence for each event that is worth one; `name` says who sits in a seat. */
export function news(events: readonly Event[], name: (seat: number) => string): string[] {
  return events.flatMap((event) => {
    const who = event.seat == null || event.seat < 0 ? "" : name(event.seat);
    // Nature has no name, and may speak of somebody who has one.
    if (event.kind === "move") return [say(event.words, event.seat === -1 ? {} : { who })];
    if (isSaid(event)) return [t("news.chat", { name: who, text: saying(event) })];
    if (event.kind === "decline") return [t(`declined.${event.text}`, { name: who })];
    if (event.kind === "takeback") return [t("news.takeback")];
    return [];
  });
}

/** Whether somebody has said something; what was said before the server hid its chat has no text. */
export const isSaid = (event: Event) => event.kind === "phrase" || (event.kind === "chat" && !!event.text);

/** What was said: as it was typed, or a phrase in the reader's language. */
export const saying = (event: Event) => (event.words ? say(event.words) : (event.text ?? ""));

/** The moves that count: what was taken back is gone. */
export function movesOf(events: readonly Event[]): Event[] {
  let made: Event[] = [];
  for (const event of events) {
    if (event.kind === "move") made.push(event);
    else if (event.kind === "takeback") made = made.filter((move) => move.n < Number(event.text));
  }
  return made;
}
