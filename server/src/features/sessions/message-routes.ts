// The history of a session (wire-contract.md §10.6).
import { historyMessages } from "@plumb/protocol/wire/sessions";
import type { Deps } from "../../platform/deps.ts";
import { route, type Route } from "../../platform/http/route.ts";
import { readHistory } from "./read-history.ts";
import { requireSession } from "./session-of-caller.ts";
import { findSession, presentSession } from "./session-store.ts";

export function messageRoutes({ db }: Deps): Route[] {
  return [
    route(historyMessages, { rate: "api", accountStatus: "any" }, async ({ user }, request) => {
      const session = requireSession(await findSession(db.kysely, user.id, request.chat_session_id));
      const messages = await readHistory(db.kysely, session.id);
      const running = messages.some((message) => message.status === "WIP");
      const valid = request.cache_version === session.version && !running;
      return {
        chat_session: presentSession(session),
        chat_messages: valid ? [] : messages,
        cache_valid: valid,
        route_id: null,
      };
    }),
  ];
}
