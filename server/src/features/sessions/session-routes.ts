// Create, page, rename, pin, delete, delete all (wire-contract.md §10.1–§10.5, §19.7).
import { randomUUID } from "node:crypto";
import { LIMITS } from "@plumb/protocol/limits";
import { checkTitle } from "@plumb/protocol/rules/title-rules";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import {
  CreateSessionRefusal,
  DeleteAllSessionsRefusal,
  FetchPageRefusal,
  SessionRefusal,
  UpdatePinnedRefusal,
  UpdateTitleRefusal,
  createSession,
  deleteSession,
  fetchSessionPage,
  updateSessionPinned,
  updateSessionTitle,
} from "@plumb/protocol/wire/sessions";
import type { Deps } from "../../platform/deps.ts";
import { route, type Route } from "../../platform/http/route.ts";
import type { JobRunner } from "../../platform/jobs/job-runner.ts";
import { Refusal } from "../../platform/refusal.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { nameAgent } from "../agents/find-agent.ts";
import { deleteHistory } from "./delete-history.ts";
import { deleteSessions } from "./delete-sessions.ts";
import { indexTitle } from "./index-history.ts";
import { requireSession } from "./session-of-caller.ts";
import {
  countOtherPinned,
  findSession,
  insertSession,
  lockSession,
  nextSeqId,
  pageOfSessions,
  pinnedSessions,
  presentSession,
  type SessionRow,
  setPinned,
  touchSession,
} from "./session-store.ts";

const api = { rate: "api", accountStatus: "any" } as const;

export function sessionRoutes(deps: Deps, jobs: JobRunner): Route[] {
  const { db, ports, log } = deps;
  return [
    route(createSession, api, async ({ user }, request) => {
      const named = await nameAgent(db.kysely, user.id, request.character_id ?? request.agent ?? "chat");
      if (named === null) throw new Refusal(CreateSessionRefusal.CharacterNotAvailable);
      const now = ports.clock.now();
      const row = await db.transaction(async (trx) => {
        const made: SessionRow = {
          id: randomUUID(),
          user_id: user.id,
          seq_id: await nextSeqId(trx, user.id),
          agent: named.agent,
          character_id: named.characterId,
          title: null,
          title_type: "WIP",
          version: 0,
          current_message_id: null,
          last_message_id: 0,
          inserted_at: now,
          updated_at: now,
          deleted_at: null,
          pinned_at: null,
        };
        await insertSession(trx, made);
        return made;
      });
      const session = presentSession(row);
      return { ...session, chat_session: session, ttl_seconds: LIMITS.emptySessionLifeSecs };
    }),

    route(fetchSessionPage, api, async ({ user }, request) => {
      const count = request.count ?? LIMITS.sessionPageDefault;
      if (count < 1 || count > LIMITS.sessionPageMax) throw new Refusal(FetchPageRefusal.IllegalCount);
      const cursor = request["lte_cursor.updated_at"];
      const rows = await pageOfSessions(db.kysely, user.id, {
        beforeSeqId: request.before_seq_id,
        updatedAtMost: cursor === null ? null : Math.round(cursor * 1000),
        count,
      });
      const page = { chat_sessions: rows.slice(0, count).map(presentSession), has_more: rows.length > count };
      if (request.before_seq_id !== null || cursor !== null) return page;
      return { ...page, pinned_sessions: (await pinnedSessions(db.kysely, user.id)).map(presentSession) };
    }),

    route(updateSessionTitle, api, async ({ user }, request) => {
      requireSession(await findSession(db.kysely, user.id, request.chat_session_id));
      const checked = checkTitle(request.title);
      if (!checked.ok) {
        throw new Refusal(
          checked.problem === "empty" ? UpdateTitleRefusal.EmptyTitle : UpdateTitleRefusal.TitleTooLong,
        );
      }
      const row = await db.transaction(async (trx) => {
        const session = requireSession(await lockSession(db, trx, user.id, request.chat_session_id));
        // Before the index (user-store.ts, lockUser).
        const touched = await touchSession(trx, user.id, request.chat_session_id, ports.clock.now(), {
          title: checked.title,
          title_type: "USER",
        });
        // One without messages is in no list; it is found from its first prompt on.
        if (session.current_message_id !== null) await indexTitle(db, trx, session, checked.title);
        return touched;
      });
      return { chat_session_updated_at: toSeconds(row.updated_at), title: checked.title };
    }),

    route(updateSessionPinned, api, async ({ user }, { chat_session_id: id, pinned }) => {
      requireSession(await findSession(db.kysely, user.id, id));
      await db.transaction(async (trx) => {
        const session = requireSession(await lockSession(db, trx, user.id, id));
        if (pinned === (session.pinned_at !== null)) return;
        if (pinned && (await countOtherPinned(db, trx, session)) >= LIMITS.pinnedSessionsMax)
          throw new Refusal(UpdatePinnedRefusal.TooManyPinned);
        await setPinned(trx, id, pinned ? ports.clock.now() : null);
      });
      return null;
    }),

    route(deleteSession, api, async ({ user }, request) => {
      if (request.chat_session_ids === null) {
        requireSession(await findSession(db.kysely, user.id, request.chat_session_id ?? ""));
      }
      const ids = request.chat_session_ids ?? [request.chat_session_id ?? ""];
      const deleted = ids.length === 0 ? 0 : await deleteSessions({ ...deps, jobs }, user.id, ids);
      if (deleted === 0) throw new Refusal(SessionRefusal.IllegalChatSessionId);
      return null;
    }),

    route(deleteAllSessions, api, async ({ user, log: requestLog }) => {
      try {
        await deleteHistory({ ...deps, jobs }, user.id);
      } catch (error) {
        (requestLog ?? log).error({ err: error }, "deleting all sessions failed");
        throw new Refusal(DeleteAllSessionsRefusal.DeleteAllFailed);
      }
      return null;
    }),
  ];
}
