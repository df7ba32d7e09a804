// The pages beside the lobby and the table, by the first word of their address: loaded when somebody goes there.
import type { Component } from "svelte";

/** A page about one game, as in "/learn/GAME", or about whatever else the address names; empty in "/learn". */
export type GamePage = Component<{ game: string }>;

export const pages: Record<string, () => Promise<{ default: GamePage }>> = {
  class: () => import("../classes/ClassPage.svelte"),
  classes: () => import("../classes/ClassPage.svelte"),
  join: () => import("../classes/JoinPage.svelte"),
  admin: () => import("../admin/AdminPage.svelte"),
  games: () => import("../mine/MinePage.svelte"),
  explore: () => import("../explore/Explore.svelte"),
  learn: () => import("../learn/Learn.svelte"),
  rules: () => import("../rules/RulesPage.svelte"),
};
