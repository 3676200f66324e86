// The engine's part for chats loads once an account is there: the pages before sign-in do without it.
import type { Message } from "@plumb/protocol/conversation/message";
import type { AccountPart } from "./accounts/account-lifecycle.ts";
import type { Chat, ChatDeps, CreateChat } from "./create-chat.ts";
import { askEarly, messagesOf, type EarlyHistory } from "./sessions/early-history.ts";
import { createHistoryCache, type HistoryCache } from "./sessions/history-cache.ts";

/** Loads the code of the part. Rejects when it cannot be had; asked again, it tries again. */
export type LoadChat = () => Promise<CreateChat>;

/** The part that `load` brings; what is asked of it before it is here is done when it comes. */
export function createLoadedChat(load: LoadChat, deps: Omit<ChatDeps, "cache" | "takeEarly">) {
  /** Opened while the code loads: both take about the same time. */
  let cache: HistoryCache | null = null;
  let early: EarlyHistory | null = null;
  let chat: Chat | null = null;
  let loading: Promise<Chat> | null = null;
  let entered = false;
  /** An account left before the part was here: what it had stored is still to be cleared. */
  let left: Parameters<AccountPart["clear"]>[0] | null = null;

  function takeEarly(sessionId: string): EarlyHistory | null {
    const taken = early?.sessionId === sessionId ? early : null;
    early = null;
    return taken;
  }

  async function make(): Promise<Chat> {
    cache ??= createHistoryCache(deps.browser);
    const createChat = await load();
    chat = createChat({ ...deps, cache, takeEarly });
    if (left !== null) chat.clear(left);
    if (entered) chat.start();
    return chat;
  }

  /** The part, when it is here. The same promise for all who ask, but for a new one after a failure. */
  function whenHere(): Promise<Chat> {
    loading ??= make().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  }

  /** Loads without anybody waiting: the page that needs it asks itself, and says what failed. */
  function fetch(): void {
    whenHere().catch((error: unknown) => deps.browser.log("the chat was not loaded", error));
  }

  return {
    whenHere,
    isHere: (): boolean => chat !== null,
    /** The part; throws where nobody has waited for it. */
    here(): Chat {
      if (chat === null) throw new Error("the chat was not loaded yet");
      return chat;
    },
    /** Asks for the history of a session at once, and opens it when the part is here. Gives the messages that come early. */
    openEarly(sessionId: string): Promise<readonly Message[]> {
      cache ??= createHistoryCache(deps.browser);
      early = chat === null ? askEarly(deps.api, cache, sessionId) : null;
      const messages = early === null ? Promise.resolve([]) : messagesOf(early);
      whenHere().then(
        ({ sessions }) => {
          // The account may have left meanwhile: whoever comes next finds no failed chat.
          if (entered) sessions.open(sessionId);
        },
        // The screen waits for the same, and says what failed.
        () => {},
      );
      return messages;
    },
    start(): void {
      entered = true;
      if (chat === null) fetch();
      else chat.start();
    },
    clear(options: Parameters<AccountPart["clear"]>[0]): void {
      entered = false;
      early = null;
      if (chat !== null) return chat.clear(options);
      left = options;
      fetch();
    },
    recoverReplies: (): void => chat?.recoverReplies(),
    refresh: (): void => chat?.refresh(),
    loadFailed(): void {
      if (chat !== null) chat.loadFailed();
      else if (entered) fetch();
    },
    stop(): void {
      entered = false;
      chat?.stop();
    },
  };
}
