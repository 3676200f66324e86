// An engine that answers from memory: each state of the screen without a server.
import type { Message } from "@plumb/protocol/conversation/message";
import { treeOf } from "@plumb/protocol/conversation/message-tree";
import type { Session } from "@plumb/protocol/wire/sessions";
import { createStore } from "zustand/vanilla";
import type {
  AuthState,
  ClientMessage,
  ClientSession,
  Engine,
  OverlaysState,
  Preferences,
  SessionListState,
  Toast,
} from "../src/engine/engine.ts";
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
    generateState: null,
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
        ...session,
      } satisfies ClientSession,
    ]),
  );
  const engine: Engine = {
    auth: createStore<AuthState>(() => ({
      status,
      user: status === "yes" ? fakeUser : null,
      reason: "none",
    })),
    clientSettings: createStore(() => ({ settings: fakeSettings(state.outbox === true), failed: false })),
    preferences: createStore<Preferences>(() => ({
      theme: "system",
      locale: "system",
      thinkingEnabled: true,
      searchEnabled: false,
      siderCollapsed: false,
      ...state.preferences,
    })),
    sessionList: createStore<SessionListState>(() => ({
      state: "loaded",
      sessions: [],
      hasMore: false,
      loadingMore: false,
      ...state.sessionList,
    })),
    sessions: createStore(() => ({ byId: sessions, drafts: state.drafts ?? {} })),
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
    codeTimer: createStore(() => ({ email: state.codeTimer ?? 0 })),
    thinkingQuota: createStore(() => ({ quota: null })),
    navigation: createStore<{ to: string | null; replace: boolean }>(() => ({ to: null, replace: false })),
    start: () => undefined,
    stop: () => undefined,
    setPreferences: (change) => engine.preferences.setState(change),
    signIn: () => Promise.resolve({ ok: false, field: null, text: { key: "passwordOrUserWrong" } }),
    signUp: () => Promise.resolve({ ok: false, field: "code", text: { key: "form.codeInvalid" } }),
    sendEmailCode: () => {
      engine.codeTimer.setState({ email: 60 });
      return Promise.resolve({ ok: true });
    },
    signOut: () => {
      engine.auth.setState({ status: "no", user: null, reason: "signed-out" });
      return Promise.resolve();
    },
    loadMoreSessions: () => undefined,
    retrySessionList: () => engine.sessionList.setState({ state: "loading" }),
    renameSession: (id, title) => {
      engine.sessionList.setState(({ sessions: list }) => ({
        sessions: list.map((session) => (session.id === id ? { ...session, title } : session)),
      }));
      engine.sessions.setState(({ byId }) => {
        const session = byId[id];
        return session === undefined ? {} : { byId: { ...byId, [id]: { ...session, title } } };
      });
      return Promise.resolve(true);
    },
    deleteSession: (id) => {
      engine.sessionList.setState(({ sessions: list }) => ({
        sessions: list.filter((session) => session.id !== id),
      }));
      return Promise.resolve(true);
    },
    openSession: () => undefined,
    retryHistory: () => undefined,
    setDraft: (key, text) =>
      engine.sessions.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: text } })),
    send: () => Promise.resolve(false),
    stopReply: () => undefined,
    retryMessage: () => undefined,
    lastPrompt: () => "What makes the tides?",
    showToast: (toast) =>
      engine.toasts.setState(({ toasts }) => ({
        toasts: [...toasts, { ...toast, id: Date.now(), duration: 5000 }],
      })),
    dismissToast: (id) =>
      engine.toasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
    setOverlays: (change) => engine.overlays.setState(change),
  };
  return engine;
}
