// The newest chats of the list, kept in the browser: a page that opens while the server can't be reached shows them.
import { isRecord, parseJson } from "@plumb/protocol/wire/json";
import type { User } from "@plumb/protocol/wire/accounts";
import type { Session } from "@plumb/protocol/wire/sessions";
import type { AuthStore } from "../accounts/auth-store.ts";
import type { Browser, Cancel } from "../browser.ts";
import type { Engine } from "../engine.ts";
import { createSlowWriter } from "../slow-writer.ts";
import { KEPT_LIST } from "./kept-under.ts";

/** So many rows are kept. */
const MOST_KEPT = 50;
/** Of their JSON (UTF-16 units). */
const MOST_CHARS = 60_000;
const WRITE_EVERY_MS = 1000;

export interface KeptList {
  /** The token is kept in its own place alone. */
  user: Omit<User, "token">;
  /** As the list has them. */
  sessions: Session[];
}

/** What the page asks of its user: an answer of the server may hold more, the token among it. */
const USER_FIELDS = [
  "id",
  "email",
  "mobile_number",
  "mobile",
  "area_code",
  "status",
  "id_profile",
  "id_profiles",
  "chat",
  "has_legacy_chat_history",
  "need_birthday",
] as const satisfies readonly (keyof KeptList["user"])[];

/** Says whose list it is, where another tab may have signed in as somebody else; of the token no more is written down twice. */
function endOf(token: string): string {
  return token.slice(-6);
}

function isListed(value: unknown): value is Session {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    typeof value["seq_id"] === "number" &&
    typeof value["updated_at"] === "number" &&
    (typeof value["title"] === "string" || value["title"] === null)
  );
}

/** What was kept under this token; null where there is nothing, or what somebody else left. */
export function readKeptList({ storage }: Pick<Browser, "storage">, token: string): KeptList | null {
  const json = parseJson(storage.get(KEPT_LIST) ?? "");
  if (!json.ok || !isRecord(json.value) || json.value["tokenEnd"] !== endOf(token)) return null;
  const { user, sessions } = json.value;
  if (!isRecord(user) || typeof user["id"] !== "string" || !isRecord(user["chat"])) return null;
  if (!Array.isArray(sessions) || !sessions.every(isListed)) return null;
  return { user: user as unknown as KeptList["user"], sessions };
}

/** The newest of them, as many as fit. */
function withinBounds(sessions: readonly Session[]): Session[] {
  let room = MOST_CHARS;
  return sessions.slice(0, MOST_KEPT).filter((session) => (room -= JSON.stringify(session).length) >= 0);
}

/** Keeps the list of whoever is signed in, as it changes. It goes with the cache of histories. */
export function keepList(browser: Browser, engine: Engine): Cancel {
  const { auth } = engine.accounts;
  const writer = createSlowWriter(browser, WRITE_EVERY_MS, write);
  let stopList: Cancel | null = null;

  function write(): void {
    const { user, status } = auth.getState();
    const { state, sessions } = engine.sessions.list.getState();
    // The account may have left meanwhile, and all of it with it.
    if (status !== "yes" || user === null || state !== "loaded") return;
    const fields = Object.fromEntries(USER_FIELDS.map((field) => [field, user[field]]));
    const kept = { tokenEnd: endOf(user.token), user: fields, sessions: withinBounds(sessions) };
    browser.storage.set(KEPT_LIST, JSON.stringify(kept));
  }

  function follow(): void {
    if (stopList !== null || !engine.isChatHere()) return;
    stopList = engine.sessions.list.subscribe(writer.changed);
    writer.changed();
  }

  const stopAuth = auth.subscribe(({ status }) => {
    if (status === "yes") void engine.loadChat().then(follow, () => undefined);
  });
  follow();
  return () => {
    stopAuth();
    stopList?.();
    writer.stop();
  };
}

export interface OfflineDeps {
  browser: Browser;
  auth: AuthStore;
  network: Engine["site"]["network"];
  loadChat(): Promise<{
    sessions: Engine["sessions"];
    refresh(): void;
    loadFailed(): void;
  }>;
}

/**
 * Lets the account in by what was kept of it, until the server says who is there: its list, its drafts, and the chats that
 * the cache has. Asked again each time the server could not be. Nothing where nothing was kept, or where the server has spoken meanwhile.
 */
export async function openKeptList({ browser, auth, network, loadChat }: OfflineDeps): Promise<void> {
  const chat = await loadChat();
  const token = auth.token();
  if (token === null || auth.store.getState().status !== "pending") return;
  const kept = readKeptList(browser, token);
  if (kept === null) return;
  const { list } = chat.sessions;
  const fill = (): void => {
    const { state, sessions } = list.getState();
    // The call for it has to fail first: what comes is newer.
    if (state === "error" && sessions.length === 0)
      list.setState({ state: "loaded", sessions: kept.sessions, hasMore: false });
  };
  fill();
  const stopList = list.subscribe(fill);
  const user: User = { ...kept.user, token };
  network.setState({ unreached: true });
  auth.confirmed(user);
  const stopAuth = auth.store.subscribe((state) => {
    if (state.user === user) return;
    stopAuth();
    stopList();
    network.setState({ unreached: false });
    if (state.status !== "yes") return;
    // What is kept is the beginning of the list; its end is asked for as it comes into view.
    if (list.getState().state === "loaded") list.setState({ hasMore: true });
    chat.refresh();
    chat.loadFailed();
  });
}
