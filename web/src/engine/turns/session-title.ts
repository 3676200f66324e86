// A title that the server made, on its way to the session and the list.
import { LIMITS } from "@plumb/protocol/limits";
import { historyMessages, type Session } from "@plumb/protocol/wire/sessions";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import { pause } from "../pause.ts";
import type { SessionList } from "../sessions/session-list.ts";
import type { SessionStore } from "../sessions/session-store.ts";

export interface TitleDeps {
  browser: Browser;
  sessions: SessionStore;
  list: SessionList;
}

/** How long a title counts as new, so that a screen which mounts late still animates it (milliseconds). */
const TITLE_IS_NEW_MS = 2000;

/** Shows a title; one the user gave is not animated. */
export function showTitle(
  deps: TitleDeps,
  sessionId: string,
  title: string,
  type: Session["title_type"],
): void {
  const { browser, sessions, list } = deps;
  const isNew = type !== "USER" && sessions.get(sessionId)?.title !== title;
  sessions.update(sessionId, () => ({ title, titleType: type, titleIsNew: isNew }));
  list.change(sessionId, { title, title_type: type });
  if (isNew) browser.after(TITLE_IS_NEW_MS, () => sessions.update(sessionId, () => ({ titleIsNew: false })));
}

/** Takes the title of a session object, where no event brought it. */
export function takeTitle(deps: TitleDeps, from: Pick<Session, "id" | "title" | "title_type">): void {
  const known = deps.sessions.get(from.id);
  if (from.title === null || (known?.title === from.title && known.titleType === from.title_type)) return;
  showTitle(deps, from.id, from.title, from.title_type);
}

/** Once more after 4 s: the title of a reply that ended out of our sight may still be in the making. */
export async function lookForTitle(
  deps: TitleDeps & { api: ApiClient },
  seen: Session,
  signal: AbortSignal,
): Promise<void> {
  await pause(deps.browser, LIMITS.titleLookAgainMs, signal);
  if (signal.aborted || deps.sessions.get(seen.id) === undefined) return;
  // Asked with a version, the answer is all but the messages.
  const wanted = { chat_session_id: seen.id, cache_version: seen.version };
  const result = await deps.api.call(historyMessages, wanted, { signal });
  if (result.ok && !signal.aborted) takeTitle(deps, result.data.chat_session);
}
