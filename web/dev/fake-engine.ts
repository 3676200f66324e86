// An engine that answers from memory: each state of the screen without a server.
import type { Message } from "@plumb/protocol/conversation/message";
import { treeOf } from "@plumb/protocol/conversation/message-tree";
import type { Session } from "@plumb/protocol/wire/sessions";
import { createStore } from "zustand/vanilla";
import type { AuthState } from "../src/engine/accounts/auth-store.ts";
import type { Engine } from "../src/engine/engine.ts";
import type { ClientMessage } from "../src/engine/sessions/client-message.ts";
import type { ClientSession } from "../src/engine/sessions/client-session.ts";
import type { SessionListState } from "../src/engine/sessions/session-list.ts";
import type { OverlaysState } from "../src/engine/site/overlays.ts";
import type { Preferences } from "../src/engine/site/preferences.ts";
import type { Toast } from "../src/engine/site/toast.ts";
import type { Locale } from "../src/engine/site/locale.ts";
import { fakeSettings, fakeUser } from "./fake-data.ts";

export interface FakeState {
  path: string;
  auth?: AuthState["status"];
  preferences?: Partial<Preferences>;
  sessionList?: Partial<SessionListState>;
  sessions?: (Partial<ClientSession> & { id: string; messages?: ClientMessage[] })[];
  drafts?: Record<string, string>;
  overlays?: Partial<OverlaysState>;
  toasts?: Omit<Toast, "id" | "duration">[];
  codeTimer?: number;
  outbox?: boolean;
}

/** A session as the list shows it; `daysAgo` may be a fraction. */
export function listedSession(id: string, title: string | null, daysAgo: number): Session {
  const secs = Math.floor(Date.now() / 1000 - daysAgo * 86_400);
  return {
    id,
    seq_id: secs,
    agent: "chat",
    character_id: null,
    model_type: "default",
    title,
    title_type: "SYSTEM",
    version: 1,
    current_message_id: null,
    pinned: false,
    is_empty: false,
    route_id: null,
    inserted_at: secs,
    updated_at: secs,
  };
}

/** A message in the tree's form, with what is usual filled in. */
export function message(
  part: Partial<ClientMessage> & Pick<Message, "message_id" | "role" | "fragments">,
): ClientMessage {
  return {
    parent_id: part.message_id === 1 ? null : part.message_id - 1,
    status: "FINISHED",
    files: [],
    accumulated_token_usage: 0,
    thinking_enabled: false,
    search_enabled: false,
    ban_regenerate: false,
    ban_edit: false,
    has_pending_fragment: false,
    feedback: null,
    inserted_at: 0,
    client_stream_id: null,
    model: "",
    incomplete_message: null,
    auto_continue: false,
    conversation_mode: "DEFAULT",
    key: `stored-${part.message_id}`,
    generateState: null,
    resendInfo: null,
    hint: null,
    ...part,
  };
}

export function createFakeEngine(state: FakeState): Engine {
  const status = state.auth ?? "yes";
  const sessions = Object.fromEntries(
    (state.sessions ?? []).map(({ messages = [], ...session }) => [
      session.id,
      {
        title: null,
        titleType: "SYSTEM",
        titleIsNew: false,
        updatedAt: 0,
        agentId: "chat",
        state: "idle",
        connection: "live",
        tree: treeOf(messages, null),
        lastMessageId: 0,
        ...session,
      } satisfies ClientSession,
    ]),
  );
  const engine: Engine = {
    accounts: {
      auth: createStore<AuthState>(() => ({
        status,
        user: status === "yes" ? fakeUser : null,
        reason: "none",
      })),
      codeTimer: createStore(() => ({ email: state.codeTimer ?? 0 })),
      thinkingQuota: createStore(() => ({ quota: null })),
      signIn: () => Promise.resolve({ ok: false, field: null, text: { key: "passwordOrUserWrong" } }),
      signUp: () => Promise.resolve({ ok: false, field: "code", text: { key: "form.codeInvalid" } }),
      sendEmailCode: () => {
        engine.accounts.codeTimer.setState({ email: 60 });
        return Promise.resolve({ ok: true });
      },
      acknowledgeBan: () => engine.accounts.auth.setState({ reason: "none" }),
      signOut: () => {
        engine.accounts.auth.setState({ status: "no", user: null, reason: "signed-out" });
        return Promise.resolve();
      },
    },
    sessions: {
      store: createStore(() => ({ byId: sessions, drafts: state.drafts ?? {} })),
      list: createStore<SessionListState>(() => ({
        state: "loaded",
        sessions: [],
        hasMore: false,
        loadingMore: false,
        ...state.sessionList,
      })),
      loadMore: () => undefined,
      retryList: () => engine.sessions.list.setState({ state: "loading" }),
      open: () => undefined,
      retryHistory: () => undefined,
      rename: (id, title) => {
        engine.sessions.list.setState(({ sessions: list }) => ({
          sessions: list.map((session) => (session.id === id ? { ...session, title } : session)),
        }));
        engine.sessions.store.setState(({ byId }) => {
          const session = byId[id];
          return session === undefined ? {} : { byId: { ...byId, [id]: { ...session, title } } };
        });
        return Promise.resolve(true);
      },
      remove: (id) => {
        engine.sessions.list.setState(({ sessions: list }) => ({
          sessions: list.filter((session) => session.id !== id),
        }));
        return Promise.resolve(true);
      },
      setDraft: (key, text) =>
        engine.sessions.store.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: text } })),
    },
    turns: {
      send: () => Promise.resolve(false),
      regenerate: () => Promise.resolve(false),
      editMessage: () => Promise.resolve(false),
      continueReply: () => Promise.resolve(false),
      stop: () => undefined,
      retry: () => undefined,
      lastPrompt: () => "What makes the tides?",
    },
    site: {
      settings: createStore(() => ({ settings: fakeSettings(state.outbox === true), failed: false })),
      preferences: createStore<Preferences>(() => ({
        theme: "system",
        locale: "system",
        thinkingEnabled: true,
        searchEnabled: false,
        siderCollapsed: false,
        ...state.preferences,
      })),
      toasts: createStore(() => ({
        toasts: (state.toasts ?? []).map((toast, id) => ({ ...toast, id, duration: 5000 })),
      })),
      overlays: createStore<OverlaysState>(() => ({
        settings: null,
        shortcuts: false,
        renaming: null,
        deleting: null,
        ...state.overlays,
      })),
      locale: createStore<{ locale: Locale }>(() => ({
        locale: state.preferences?.locale === "zh_CN" ? "zh_CN" : "en_US",
      })),
      navigation: createStore<{ to: string | null; replace: boolean }>(() => ({ to: null, replace: false })),
      setPreferences: (change) => engine.site.preferences.setState(change),
      showToast: (toast) =>
        engine.site.toasts.setState(({ toasts }) => ({
          toasts: [...toasts, { ...toast, id: Date.now(), duration: 5000 }],
        })),
      dismissToast: (id) =>
        engine.site.toasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
      setOverlays: (change) => engine.site.overlays.setState(change),
    },
    start: () => undefined,
    stop: () => undefined,
  };
  return engine;
}
