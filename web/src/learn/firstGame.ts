// The first game after the lessons: against the gentlest bot, with a tutor.

import { api } from "../lib/api";
import { url } from "../lib/base";
import { place } from "../lib/place.svelte";
import type { GameInfo } from "../wire.gen";
import { beginWithTutor } from "./tutor.svelte";

/** Make a table and go there; throws with a sentence when there can be none. */
export async function firstGame({ name, seats: counts, levels }: GameInfo) {
  const count = counts[0] ?? 2;
  // The gentlest comes first.
  const level = levels.find(({ seats }) => !seats?.length || seats.includes(count))?.level ?? "";
  const bots = Array.from({ length: count - 1 }, () => ({ kind: "bot" as const, level }));
  const made = await api.create({ game: name, seats: [{ kind: "me" }, ...bots] });
  beginWithTutor(name);
  place.go(url(`/t/${made.table.id}`));
}
