// The REST side of the wire. A refusal becomes a Refusal with the server's sentence.

import type {
  GameInfo,
  Invite,
  Key,
  Lobby,
  Login,
  Me,
  Mine,
  NewPassword,
  NewTable,
  Problem,
  SceneAt,
  SeatTaken,
  TableInfo,
  TableMade,
  TakeSeat,
} from "../wire.gen";
import { say, spoken, t, type Catalogue } from "./messages";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    const headers = body === undefined ? undefined : { "Content-Type": "application/json" };
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refusal("offline", t("error.offline"));
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const problem = (await answer.json().catch(() => ({}))) as Partial<Problem>;
  throw new Refusal(problem.code ?? String(answer.status), refused(problem));
}

/** The reason in this page's language, if the server has words for it. */
export function refused(problem: Partial<Problem>): string {
  return problem.words ? say(problem.words) : (problem.sentence ?? t("error.server"));
}

const table = (id: string) => `/api/tables/${encodeURIComponent(id)}`;

export const api = {
  games: () => ask<GameInfo[]>("GET", "/api/games"),
  rules: async (game: string) => {
    const answer = await fetch(`/api/games/${encodeURIComponent(game)}/rules?language=${spoken()}`);
    if (!answer.ok) throw new Refusal(String(answer.status), t("error.server"));
    return { text: await answer.text(), language: answer.headers.get("content-language") ?? "en" };
  },
  words: () => ask<Catalogue>("GET", `/api/words/${spoken()}`),
  start: (game: string) => ask<SceneAt>("GET", `/api/games/${encodeURIComponent(game)}/scene`),
  create: (plan: NewTable) => ask<TableMade>("POST", "/api/tables", plan),
  lobby: () => ask<Lobby>("GET", "/api/tables"),
  mine: () => ask<Mine>("GET", "/api/mine"),
  table: (id: string) => ask<TableInfo>("GET", table(id)),
  take: (id: string, seat: number, body: TakeSeat) => ask<SeatTaken>("POST", `${table(id)}/seats/${seat}`, body),
  keys: (id: string) => ask<Key[]>("GET", `${table(id)}/keys`),
  invites: (id: string) => ask<Invite[]>("GET", `${table(id)}/invites`),
  scenes: (id: string, since: number) => ask<SceneAt[]>("GET", `${table(id)}/scenes?since=${since}`),
  motion: async (id: string, n: number) => {
    const answer = await fetch(`${table(id)}/motions/${n}`);
    if (!answer.ok) throw new Refusal(String(answer.status), t("error.server"));
    return await answer.arrayBuffer();
  },
  me: () => ask<Me>("GET", "/api/me"),
  rename: (name: string) => ask<Me>("PUT", "/api/me", { name }),
  register: (login: Login) => ask<Me>("POST", "/api/account", login),
  changePassword: (change: NewPassword) => ask<Me>("PUT", "/api/account/password", change),
  signIn: (login: Login) => ask<Me>("POST", "/api/session", login),
  signOut: () => ask<Me | undefined>("DELETE", "/api/session"),
};
