// What whoever holds the admin link may ask of the server. Its token is sent as a header, which no other site can do.

import { Refusal, refused } from "../lib/api";
import { url } from "../lib/base";
import { t } from "../lib/messages";
import type { AdminNow, AdminPerson, AdminPersonInfo, AdminTable, EndGame, GivenPassword, Problem } from "../wire.gen";

/** Where the token is kept: for this tab, until it is closed. */
const KEPT = "cupboard.admin";

/** The token of the link, which stands after # so that it is in no log; it is taken out of the address at once. */
export function token(): string {
  const fresh = location.hash.slice(1);
  if (fresh) {
    sessionStorage.setItem(KEPT, fresh);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEPT) ?? "";
}

export function forgetToken() {
  sessionStorage.removeItem(KEPT);
}

async function fetched(method: string, path: string, body?: unknown): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(url(`/api/admin/${path}`), {
      method,
      headers: {
        "X-Admin-Token": token(),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
    });
  } catch {
    throw new Refusal("offline", t("error.offline"));
  }
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as Partial<Problem>;
  throw new Refusal(problem.code ?? String(answer.status), refused(problem));
}

const ask = async <T>(method: string, path: string, body?: unknown) => (await (await fetched(method, path, body)).json()) as T;
const person = (id: string) => `people/${encodeURIComponent(id)}`;
const table = (id: string) => `tables/${encodeURIComponent(id)}`;
const found = (text: string) => `?find=${encodeURIComponent(text)}`;

export const admin = {
  now: () => ask<AdminNow>("GET", "now"),
  tables: (text: string) => ask<AdminTable[]>("GET", `tables${found(text)}`),
  people: (text: string) => ask<AdminPerson[]>("GET", `people${found(text)}`),
  person: (id: string) => ask<AdminPersonInfo>("GET", person(id)),
  end: (id: string, how: EndGame) => ask<unknown>("POST", `${table(id)}/end`, how),
  close: (id: string) => ask<unknown>("POST", `${table(id)}/close`),
  ban: (id: string) => ask<unknown>("POST", `${person(id)}/ban`),
  unban: (id: string) => ask<unknown>("DELETE", `${person(id)}/ban`),
  rename: (id: string, name: string) => ask<AdminPerson>("PUT", `${person(id)}/name`, { name }),
  password: (id: string) => ask<GivenPassword>("POST", `${person(id)}/password`),
  signOut: (id: string, session = "") => ask<unknown>("DELETE", [person(id), "sessions", session].filter(Boolean).join("/")),
  forget: (id: string) => ask<unknown>("DELETE", person(id)),
  /** Save everything that is stored of a person as a file. */
  async save(id: string) {
    const address = URL.createObjectURL(await (await fetched("GET", `${person(id)}/export`)).blob());
    const anchor = Object.assign(document.createElement("a"), { href: address, download: `${id}.json` });
    anchor.click();
    URL.revokeObjectURL(address);
  },
};
