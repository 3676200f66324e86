// One feature as app.ts mounts it.
import type { Route } from "./route.ts";

export interface Feature {
  readonly name: string;
  readonly routes: readonly Route[];
  /** Background work begins. Called in mounting order, before the server listens. */
  start?(): Promise<void>;
  /** Work is handed over or finished. Called in the reverse order; resolves within a few seconds. */
  stop?(): Promise<void>;
}
