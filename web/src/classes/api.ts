// What the server knows of classes.

import { ask } from "../lib/api";
import { url } from "../lib/base";
import { spoken } from "../lib/messages";
import type {
  BoardInfo,
  ClassInfo,
  ClassLists,
  Joined,
  JoinInfo,
  MemberView,
  NewRound,
  WayBack,
} from "../wire.gen";

const room = (id: string) => `classes/${encodeURIComponent(id)}`;
const sheet = (id: string) => url(`/api/${room(id)}`);
const member = (id: string, one: string) => `${room(id)}/members/${encodeURIComponent(one)}`;

export const classes = {
  all: () => ask<ClassLists>("GET", "classes"),
  make: (name: string) => ask<ClassInfo>("POST", "classes", { name }),
  show: (id: string) => ask<ClassInfo>("GET", room(id)),
  rename: (id: string, name: string) => ask<ClassInfo>("PUT", room(id), { name }),
  remove: (id: string) => ask<undefined>("DELETE", room(id)),
  renewCode: (id: string) => ask<ClassInfo>("POST", `${room(id)}/code`),
  mine: (id: string) => ask<MemberView>("GET", `${room(id)}/me`),
  renameMember: (id: string, one: string, name: string) => ask<ClassInfo>("PUT", member(id, one), { name }),
  removeMember: (id: string, one: string) => ask<ClassInfo>("DELETE", member(id, one)),
  wayBack: (id: string, one: string) => ask<WayBack>("POST", `${member(id, one)}/way-back`),
  merge: (id: string, one: string, into: string) => ask<ClassInfo>("POST", `${member(id, one)}/merge`, { into }),
  pair: (id: string, round: NewRound) => ask<ClassInfo>("POST", `${room(id)}/rounds`, round),
  round: (id: string, n: number) => ask<BoardInfo[]>("GET", `${room(id)}/rounds/${n}`),
  score: (id: string, board: BoardInfo, score: "first" | "draw" | "second") =>
    ask<ClassInfo>("PUT", `${room(id)}/rounds/${board.round}/boards/${board.board}`, { score }),
  begin: (id: string, after: number) => ask<ClassInfo>("POST", `${room(id)}/tournaments/${after}`),
  look: (code: string) => ask<JoinInfo>("GET", `join/${encodeURIComponent(code)}`),
  join: (code: string, name: string) => ask<Joined>("POST", "join", { code, name }),
  /** The addresses of the two sheets, in this page's language and the reader's time. */
  sheets: (id: string) => {
    const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
    return {
      results: `${sheet(id)}/results.csv?language=${spoken()}&zone=${zone}`,
      standings: `${sheet(id)}/standings.csv?language=${spoken()}`,
    };
  },
};

/** Where pupils come in at a server that is reached by `base`: with a code for QR codes, without to be typed. */
export const wayIn = (base: string, code = "") => [base, "join", code].filter(Boolean).join("/");

/** An address as people type it. */
export const typed = (address: string) => address.replace(/^https?:\/\//, "");

/** A code in two halves, as it is read aloud. */
export const aloud = (code: string) => `${code.slice(0, code.length / 2)} ${code.slice(code.length / 2)}`;

/** Ask again and again while somebody looks, at once and then every so many milliseconds; returns what ends it. */
export function every(milliseconds: number, look: () => void): () => void {
  const now = () => {
    if (!document.hidden) look();
  };
  now();
  const timer = setInterval(now, milliseconds);
  document.addEventListener("visibilitychange", now);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", now);
  };
}
