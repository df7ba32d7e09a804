// What is said of pairings.

import { t } from "../lib/messages";
import type { BoardInfo, MemberInfo, OwnBoard } from "../wire.gen";

const bot = (level: string) => t("name.bot", { level: [`level.${level}`, {}] });

/** Whom a pupil was paired with. */
export const opponent = (board: OwnBoard) => board.against || (board.level ? bot(board.level) : "");

/** What those at a board are called: the second is empty for somebody who sits out. */
export function names(board: BoardInfo, members: readonly MemberInfo[]): [string, string] {
  const name = (id: string | undefined) => members.find((one) => one.id === id)?.name ?? "?";
  return [name(board.first), board.second ? name(board.second) : board.level ? bot(board.level) : ""];
}

const POINTS: Record<string, string> = { first: "1 – 0", draw: "½ – ½", second: "0 – 1" };

/** The result of a board as it stands in tables. */
export const result = (board: BoardInfo) => (board.score ? (POINTS[board.score] ?? t(`class.${board.score}`)) : "");

/** Half points as people write them: 2½. */
export function points(value: number | undefined): string {
  const whole = Math.floor(value ?? 0);
  return (value ?? 0) % 1 ? `${whole || ""}½` : String(whole);
}

/** For how many whole minutes nothing has happened. */
export const minutes = (since: number, now: number) => Math.max(0, Math.floor((now - since) / 60_000));
