// Stopping a reply: the server is told, and we read on until it says that it stopped (wire-contract.md §11.7).
import { LIMITS } from "@plumb/protocol/limits";
import { stopStream } from "@plumb/protocol/wire/replies";
import type { ApiClient } from "../api-client.ts";
import type { Browser } from "../browser.ts";
import { pause } from "../pause.ts";
import { lookUpStream } from "../replies/look-up-stream.ts";
import type { HistoryLoader } from "../sessions/history.ts";
import { agentOfNewChat } from "../sessions/client-session.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { RunningReply } from "./running-reply.ts";

export interface StopDeps {
  browser: Browser;
  api: ApiClient;
  sessions: SessionStore;
  history: HistoryLoader;
  /** Takes the screen to a session that came to be while it was stopped. */
  onFoundInNewChat(key: string, sessionId: string): void;
}

/** Stops a running reply. Resolves when the session is at rest; a second call while the first goes on does nothing. */
export async function stopTurn(deps: StopDeps, run: RunningReply): Promise<void> {
  if (run.stopping() || run.isSettled()) return;
  run.markStopping();
  const sessionId = run.sessionId() ?? (agentOfNewChat(run.key()) === null ? run.key() : null);
  if (sessionId === null || !run.isSent()) {
    run.abort.abort();
    return run.giveBack({ hint: null });
  }
  const responseId = run.responseId();
  if (responseId === null) return stopBeforeReady(deps, run, sessionId);

  const told = postStop(deps, sessionId, responseId);
  if (!run.isReconnecting()) {
    await Promise.race([run.whenSettled, pause(deps.browser, LIMITS.stopReadOnMs)]);
    if (run.isSettled()) return;
  }
  run.abort.abort();
  await told;
  run.endAs("INCOMPLETE", null);
  await showWhatIsStored(deps, run, sessionId);
}

async function postStop(
  { api, browser }: StopDeps,
  sessionId: string,
  messageId: number | null,
): Promise<void> {
  const result = await api.call(stopStream, { chat_session_id: sessionId, message_id: messageId });
  if (!result.ok) browser.log("stop_stream failed", result.error);
}

/** We don't know the reply yet: it is looked up by the id of the send. */
async function stopBeforeReady(deps: StopDeps, run: RunningReply, sessionId: string): Promise<void> {
  const { browser, api } = deps;
  const { clientStreamId } = run;
  run.abort.abort();
  if (clientStreamId === null) return run.giveBack({ hint: null });
  const signal = new AbortController().signal;
  const found = await lookUpStream(browser, api, { sessionId, clientStreamId }, signal);
  // Also where it is unknown: the request may have been overtaken.
  await postStop(deps, sessionId, null);
  run.giveBack({ hint: null });
  if (found.kind !== "found") return;
  const { request_message_id: requestId, response_message_id: responseId } = found.stream;
  run.found({ requestId, responseId });
  if (run.prompt !== null) deps.sessions.dropDraft(run.key(), run.prompt);
  await showWhatIsStored(deps, run, sessionId);
}

async function showWhatIsStored(deps: StopDeps, run: RunningReply, sessionId: string): Promise<void> {
  await deps.history.load(sessionId, { byHand: true });
  if (run.key() !== sessionId) deps.onFoundInNewChat(run.key(), sessionId);
}
