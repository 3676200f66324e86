// The session a new chat is sent to.
import { createSession, CreateSessionRefusal, type Session } from "@plumb/protocol/wire/sessions";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import type { Text } from "../text.ts";
import { errorText, failureText } from "../texts.ts";

/** Enough for what is sent on its way (milliseconds). */
const BEFORE_ITS_END_MS = 60_000;

/** A session without a message, which the server forgets at `until` (milliseconds since the epoch). */
export interface UnusedSession {
  session: Session;
  until: number;
}

/**
 * The session of the new chat under the key that `keyNow` gives, which can become another: made now, or left over in `unused`
 * from a try that failed. Where there is none, the text to show, null for those that are shown elsewhere, and whether it is for
 * want of the agent.
 */
export async function sessionForNewChat(
  { api, browser }: { api: ApiClient; browser: Browser },
  { unused, accountSignal }: { unused: Map<string, UnusedSession>; accountSignal(): AbortSignal },
  keyNow: () => string,
  agentId: string,
): Promise<{ session: Session } | { text: Text | null; isAgentGone?: boolean }> {
  const left = unused.get(keyNow());
  if (left !== undefined && browser.now() < left.until - BEFORE_ITS_END_MS) return { session: left.session };
  const result = await api.call(createSession, { character_id: agentId }, { signal: accountSignal() });
  if (result.ok) {
    const { ttl_seconds: lifeSecs, ...session } = result.data;
    unused.set(keyNow(), { session, until: browser.now() + lifeSecs * 1000 });
    return { session };
  }
  const { error } = result;
  if (error.kind === "aborted" || (error.kind === "refused" && error.scope === "global")) {
    return { text: errorText(error) };
  }
  if (error.kind === "network") return { text: { key: "sendOffline" } };
  const isAgentGone =
    error.kind === "refused" && error.code === CreateSessionRefusal.CharacterNotAvailable.code;
  return { text: failureText(error, "createSession", CreateSessionRefusal), isAgentGone };
}
