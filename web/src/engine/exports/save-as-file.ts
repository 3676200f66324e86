// A conversation or a reply as a file: what the server has of it, on the branch that its reader sees.
import { getMessage, showDeepest, shownBranch, treeOf } from "@plumb/protocol/conversation/message-tree";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { ApiClient } from "../api-client.ts";
import type { ApiError } from "../api-errors.ts";
import type { Browser } from "../browser.ts";
import { pause } from "../pause.ts";
import type { Reactions } from "../reactions.ts";
import type { Branches } from "../sessions/branches.ts";
import { askHistory } from "../sessions/early-history.ts";
import { type ForgetSession, isInvalidSession } from "../sessions/forget-session.ts";
import { provisionalTitle } from "../sessions/provisional-title.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { refusalToast } from "../site/toast.ts";
import {
  emptyFile,
  type FileForm,
  jsonParts,
  markdownParts,
  messageMarkdown,
  type TextFile,
} from "./conversation-file.ts";

/** So long pieces are made before whoever else waits has a turn (milliseconds). */
const TURN_MS = 10;

export interface SaveAsFileDeps {
  browser: Browser;
  api: ApiClient;
  reactions: Reactions;
  sessions: SessionStore;
  branches: Pick<Branches, "shownIn">;
  forgetSession: ForgetSession;
  /** The language of what a document says itself. */
  locale(): Locale;
}

export function createSaveAsFile(deps: SaveAsFileDeps) {
  const { browser, api, reactions, sessions, branches, forgetSession, locale } = deps;

  function refused(sessionId: string, error: ApiError): null {
    browser.log("a conversation was not saved as a file", error);
    if (error.kind === "refused" && error.scope === "global") return null;
    if (error.kind === "refused" && isInvalidSession(error)) {
      forgetSession.notifyInvalid(error.msg);
      forgetSession.lose(sessionId);
    } else reactions.toast(refusalToast("error", { key: "exportAllFailed" }));
    return null;
  }

  /** All of a conversation as JSON, or the branch on show as Markdown. Null: it could not be had, which was said. */
  async function saveSession(sessionId: string, form: FileForm): Promise<TextFile | null> {
    const result = await askHistory(api, sessionId, undefined);
    if (!result.ok) return refused(sessionId, result.error);
    const { chat_session: session, chat_messages: messages } = result.data;
    const tree = showDeepest(treeOf(messages, session.current_message_id), branches.shownIn(sessionId));
    // As the page calls it until it has one. Its JSON is what the server has.
    const title = session.title ?? provisionalTitle({ tree });
    const file = emptyFile(title, form, locale());
    const named = { ...result.data, chat_session: { ...session, title } };
    const parts =
      form === "json"
        ? jsonParts(result.data)
        : markdownParts(named, { ids: shownBranch(tree), locale: locale() });
    let turnEnds = browser.now() + TURN_MS;
    for (const part of parts) {
      file.parts.push(part);
      if (browser.now() < turnEnds) continue;
      await pause(browser, 0);
      turnEnds = browser.now() + TURN_MS;
    }
    return file;
  }

  /** A message on the page as Markdown; null where it is not there. */
  function saveMessage(sessionId: string, messageId: number): TextFile | null {
    const session = sessions.get(sessionId);
    const message = session && getMessage(session.tree, messageId);
    if (message === undefined) return null;
    const title = session?.title ?? provisionalTitle(session);
    const file = emptyFile(title, "markdown", locale());
    return { ...file, parts: [messageMarkdown(title, message, locale())] };
  }

  return { saveSession, saveMessage };
}
