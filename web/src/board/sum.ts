// What the picked pieces come to, where a move is a sum.

import { t } from "../lib/messages";
import type { Scene } from "../wire.gen";
import { piecesOf } from "./scene";

/** The sum so far and whether it is enough; empty where nothing is added up. */
export function sumOf(scene: Scene | null, seat: number | null, picked: readonly string[]): string {
  const actor = scene?.players.find((line) => line.seat === seat && line.adds != null);
  if (!scene || !actor) return "";
  const worth = new Map(piecesOf(scene.parts).map((piece) => [piece.spot, Number(piece.text || Number.NaN)]));
  const values = picked.map((spot) => worth.get(spot) ?? Number.NaN).filter((value) => !Number.isNaN(value));
  if (!values.length) return "";
  const total = values.reduce((all, value) => all + value, actor.adds ?? 0);
  if (actor.beats == null) return t("asked.sum", { total });
  return t(total > actor.beats ? "asked.sum.beats" : "asked.sum.less", { total, beats: actor.beats });
}
