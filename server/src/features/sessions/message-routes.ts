// The history of a session (wire-contract.md §10.6).
import { historyMessages } from "@plumb/protocol/wire/sessions";
import type { Deps } from "../../platform/deps.ts";
import { route, type Route } from "../../platform/http/route.ts";
import { readHistory } from "./read-history.ts";
import { requireSession } from "./session-of-caller.ts";
import { findSession } from "./session-store.ts";

const history = { rate: "api", accountStatus: "any", answers: ["json", "large-json"] } as const;

export function messageRoutes({ db }: Deps): Route[] {
  return [
    route(historyMessages, history, async ({ user }, request) => {
      const session = requireSession(await findSession(db.kysely, user.id, request.chat_session_id));
      return readHistory(db, session, request.cache_version);
    }),
  ];
}
