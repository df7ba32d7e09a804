// The REST side of the wire. A refusal becomes a Refusal with the server's sentence.

import type {
  Arranged,
  Arrangement,
  BoardState,
  BoardTry,
  Evaluation,
  GameInfo,
  GameReadiness,
  HouseInfo,
  Invite,
  Key,
  LessonInfo,
  LessonState,
  LessonTry,
  Lobby,
  Login,
  Me,
  Mine,
  MineOf,
  NetworkInfo,
  NewPassword,
  NewTable,
  OpenedRecord,
  OptionValue,
  Problem,
  Progress,
  RulebookInfo,
  RuleScene,
  SceneAt,
  SeatTaken,
  SignUp,
  StrengthInfo,
  TableAnalysis,
  TableInfo,
  TableMade,
  TakeSeat,
  TutorInfo,
} from "../wire.gen";
import { url } from "./base";
import { say, spoken, t, type Catalogue } from "./messages";
import { readiness } from "./readiness.svelte";

/** A record as JSON: docs/record.md. */
export interface RecordFile {
  game: string;
  seats: number;
  options: Record<string, OptionValue>;
  tags: Record<string, string>;
  moves: [seat: string, text: string, comment?: string][];
}

export class Refusal extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** The server waits a while for a game that it compiles, the first time on a machine; then it is asked again. */
const PATIENCE = 900_000;
const PAUSE = 500;

export async function ask<T>(method: string, path: string, body?: unknown, token = ""): Promise<T> {
  const until = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await askOnce<T>(method, path, body, token);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "getting-ready" || Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

async function askOnce<T>(method: string, path: string, body?: unknown, token = ""): Promise<T> {
  let answer: Response;
  try {
    const headers = {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token ? { "X-Seat-Token": token } : {}),
    };
    answer = await fetch(url(`/api/${path}`), { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
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

const table = (id: string) => `tables/${encodeURIComponent(id)}`;

export const api = {
  games: () => ask<GameInfo[]>("GET", "games"),
  rulebook: (game: string) => ask<RulebookInfo>("GET", `games/${encodeURIComponent(game)}/rulebook?language=${spoken()}`),
  ruleBoards: (game: string) => ask<RuleScene[]>("GET", `games/${encodeURIComponent(game)}/rulebook/boards`),
  words: () => ask<Catalogue>("GET", `words/${spoken()}`),
  board: (game: string, body: BoardTry) => ask<BoardState>("POST", `games/${encodeURIComponent(game)}/board`, body),
  lessons: (game: string) => ask<LessonInfo[]>("GET", `games/${encodeURIComponent(game)}/lessons`),
  lesson: (game: string, step: string, body: LessonTry) =>
    ask<LessonState>("POST", `games/${encodeURIComponent(game)}/lessons/${encodeURIComponent(step)}`, body),
  tutor: (game: string) => ask<TutorInfo[]>("GET", `games/${encodeURIComponent(game)}/tutor`),
  arrange: (game: string, body: Arrangement) =>
    ask<Arranged>("POST", `games/${encodeURIComponent(game)}/arrangement`, body),
  openRecord: (text: string) => ask<OpenedRecord>("POST", "records", { text }),
  record: (id: string) => ask<RecordFile>("GET", `${table(id)}/record.json`),
  evaluate: (game: string, body: BoardTry) =>
    ask<Evaluation>("POST", `games/${encodeURIComponent(game)}/evaluation`, body),
  start: (game: string) => ask<SceneAt>("GET", `games/${encodeURIComponent(game)}/scene`),
  readiness: () => ask<GameReadiness[]>("GET", "readiness"),
  create: async (plan: NewTable) => {
    readiness.chosen = plan.game;
    try {
      return await ask<TableMade>("POST", "tables", plan);
    } finally {
      readiness.chosen = "";
    }
  },
  lobby: () => ask<Lobby>("GET", "tables"),
  mine: () => ask<Mine>("GET", "mine"),
  mineOf: (game: string, before = 0) => ask<MineOf>("GET", `mine/${encodeURIComponent(game)}?before=${before}`),
  strength: () => ask<StrengthInfo[]>("GET", "strength"),
  progress: (game: string) => ask<Progress>("GET", `strength/${encodeURIComponent(game)}`),
  table: (id: string) => ask<TableInfo>("GET", table(id)),
  take: (id: string, seat: number, body: TakeSeat) => ask<SeatTaken>("POST", `${table(id)}/seats/${seat}`, body),
  keys: (id: string) => ask<Key[]>("GET", `${table(id)}/keys`),
  invites: (id: string) => ask<Invite[]>("GET", `${table(id)}/invites`),
  scenes: (id: string, since: number) => ask<SceneAt[]>("GET", `${table(id)}/scenes?since=${since}`),
  analyse: (id: string, token: string) => ask<TableAnalysis>("POST", `${table(id)}/analysis`, undefined, token),
  analysis: (id: string, since: number) => ask<TableAnalysis>("GET", `${table(id)}/analysis?since=${since}`),
  motion: async (id: string, n: number) => {
    const answer = await fetch(url(`/api/${table(id)}/motions/${n}`));
    if (!answer.ok) throw new Refusal(String(answer.status), t("error.server"));
    return await answer.arrayBuffer();
  },
  network: () => ask<NetworkInfo>("GET", "network"),
  openNetwork: (open: boolean) => ask<NetworkInfo>("POST", "network", { open }),
  house: () => ask<HouseInfo>("GET", "house"),
  me: () => ask<Me>("GET", "me"),
  rename: (name: string) => ask<Me>("PUT", "me", { name }),
  register: (account: SignUp) => ask<Me>("POST", "account", account),
  changePassword: (change: NewPassword) => ask<Me>("PUT", "account/password", change),
  signIn: (login: Login) => ask<Me>("POST", "session", login),
  signOut: () => ask<Me | undefined>("DELETE", "session"),
};
