// How a game ended, in words for the one who reads them.

import { list, say, t, type Value } from "../lib/messages";
import type { Outcome, Scene, Words } from "../wire.gen";

/** The reasons of a game that whoever runs the server has ended without a result. */
const BY_THE_HOUSE = ["stopped", "closed"];

/** Whether a client's seats won, lost or shared; null without a result, and for those who only watch, or play all the seats. */
export function fate(outcome: Outcome, yours: readonly number[]): "won" | "shared" | "lost" | null {
  const mine = yours.filter((seat) => outcome.winners.includes(seat)).length;
  if (!yours.length || yours.length === outcome.seats || BY_THE_HOUSE.includes(outcome.reason)) return null;
  if (!mine) return "lost";
  return mine === outcome.winners.length ? "won" : "shared";
}

/** Who won: by name, or "you" for whoever holds one seat. */
export function headline(outcome: Outcome, yours: readonly number[], name: (seat: number) => string): string {
  const { winners } = outcome;
  const names = list(winners.map(name));
  if (!winners.length) return t("result.none");
  if (winners.length > 1 && winners.length === outcome.seats) return t("result.draw");
  const isMine = yours.length === 1 && winners.includes(yours[0] ?? -1);
  if (winners.length > 1) return t(isMine ? "result.drawn" : "result.shared", { names });
  return isMine ? t("result.won") : t("result.winner", { names });
}

/** How it was won, with the names of people where the rules name seats. */
export function reason(outcome: Outcome, scene: Scene | null, name: (seat: number) => string): string {
  return withNames(outcome.sentence, scene, name);
}

/** What is said, with the names of people where the rules name seats. */
export function withNames(words: Words, scene: Scene | null, name: (seat: number) => string): string {
  const roles = new Map(scene?.players.map((line) => [JSON.stringify(line.name), line.seat]));
  const named = (value: Value): Value => {
    if (!Array.isArray(value)) return value;
    const seat = roles.get(JSON.stringify(value));
    if (seat !== undefined) return name(seat);
    const [key, values] = value as Words;
    if (Array.isArray(values)) return [key, values.map(named)] as Words;
    return [key, Object.fromEntries(Object.entries(values ?? {}).map(([what, one]) => [what, named(one as Value)]))] as Words;
  };
  return say(named(words));
}
