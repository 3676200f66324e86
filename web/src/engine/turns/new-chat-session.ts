// The session a new chat is sent to.
import { createSession, CreateSessionRefusal, type Session } from "@plumb/protocol/wire/sessions";
import type { ApiClient } from "../api-client.ts";
import type { Text } from "../text.ts";
import { errorText, failureText } from "../texts.ts";

/**
 * The session of the new chat under `key`: made now, or left over in `unused` from a try that failed. Where there is
 * none, the text to show, null for those that are shown elsewhere, and whether it is for want of the agent.
 */
export async function sessionForNewChat(
  api: ApiClient,
  unused: Map<string, Session>,
  key: string,
  agentId: string,
): Promise<{ session: Session } | { text: Text | null; isAgentGone?: boolean }> {
  const left = unused.get(key);
  if (left !== undefined) return { session: left };
  const result = await api.call(createSession, { character_id: agentId });
  if (result.ok) {
    unused.set(key, result.data);
    return { session: result.data };
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
