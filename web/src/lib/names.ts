// What to call somebody: by the name they chose, else by the words for a guest or a bot.

import type { Words } from "../wire.gen";
import { say } from "./messages";

export function called(one: { name?: string; words?: Words | null } | null | undefined): string {
  return one?.words ? say(one.words) : (one?.name ?? "");
}
