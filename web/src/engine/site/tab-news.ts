// What the pages of one browser tell each other. Another tab may run another version: what can't be read is passed over.
import { isRecord } from "@plumb/protocol/wire/json";
import type { Session } from "@plumb/protocol/wire/sessions";
import type { Browser, Cancel } from "../browser.ts";
import { isLook, type Look } from "./preferences.ts";

export type TabNews =
  /** Somebody signed in or out, or the account has changed: the token that is stored now, null for none. */
  | { about: "account"; token: string | null }
  /** A bot challenge was passed, for the whole browser. */
  | { about: "cleared" }
  /** The theme or the language was chosen. What is stored may be seen by other tabs later than this is. */
  | ({ about: "look" } & Look)
  /** A tab was opened and wants to know of the others. */
  | { about: "hello" }
  /** What a tab shows to somebody who looks at it, null for nothing, and the sessions whose replies it reads. */
  | { about: "presence"; tab: string; userId: string; shows: string | null; running: readonly string[] }
  | { about: "left"; tab: string }
  /** A session of the list is new or has changed. */
  | { about: "session"; userId: string; session: Session }
  /** What is queued in a chat has changed. */
  | { about: "queued"; userId: string }
  /** The notice of the export that was finished then (unix seconds) is not wanted any more. */
  | { about: "exportNoticed"; userId: string; exportAt: number }
  /** A session is gone. */
  | { about: "removed"; userId: string; sessionId: string };

const CHANNEL = "plumb";

const isText = (value: unknown): value is string => typeof value === "string";

function isSession(value: unknown): boolean {
  return (
    isRecord(value) &&
    [value["id"], value["agent"], value["title_type"]].every(isText) &&
    [value["seq_id"], value["updated_at"]].every(Number.isFinite) &&
    (value["title"] === null || isText(value["title"])) &&
    typeof value["pinned"] === "boolean"
  );
}

type Fields = Readonly<Record<string, unknown>>;

const CHECKS: Record<TabNews["about"], (news: Fields) => boolean> = {
  account: ({ token }) => token === null || isText(token),
  cleared: () => true,
  look: isLook,
  hello: () => true,
  presence: ({ tab, userId, shows, running }) =>
    isText(tab) &&
    isText(userId) &&
    (shows === null || isText(shows)) &&
    Array.isArray(running) &&
    running.every(isText),
  left: ({ tab }) => isText(tab),
  session: ({ userId, session }) => isText(userId) && isSession(session),
  queued: ({ userId }) => isText(userId),
  exportNoticed: ({ userId, exportAt }) => isText(userId) && Number.isFinite(exportAt),
  removed: ({ userId, sessionId }) => isText(userId) && isText(sessionId),
};

/** The news in a message of another tab; null for what is none. */
export function readTabNews(message: unknown): TabNews | null {
  if (!isRecord(message) || !isText(message["about"]) || !Object.hasOwn(CHECKS, message["about"]))
    return null;
  return CHECKS[message["about"] as TabNews["about"]](message) ? (message as unknown as TabNews) : null;
}

export type TabChannelOfNews = ReturnType<typeof createTabNews>;

export function createTabNews(browser: Browser) {
  const channel = browser.openChannel(CHANNEL);
  return {
    tell: (news: TabNews): void => channel.post(news),
    listen: (run: (news: TabNews) => void): Cancel =>
      channel.listen((message) => {
        const news = readTabNews(message);
        if (news !== null) run(news);
      }),
    close: channel.close,
  };
}
