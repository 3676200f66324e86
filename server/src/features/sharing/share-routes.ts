// Create, list, delete, read and continue public links (wire-contract.md §13).
import { LIMITS } from "@plumb/protocol/limits";
import {
  createShare as createCall,
  CreateShareRefusal,
  deleteShare,
  DeleteShareRefusal,
  forkShare as forkCall,
  ForkShareRefusal,
  listShares,
  ListSharesRefusal,
  type Share,
  shareContent,
} from "@plumb/protocol/wire/sharing";
import { type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { toSeconds } from "../../platform/seconds.ts";
import type { RateLimits } from "../guard/rate-limit.ts";
import { createShare } from "./create-share.ts";
import { type ForkDeps, forkShare } from "./fork-share.ts";
import { readShare } from "./read-share.ts";
import { countQuestions } from "./share-messages-store.ts";
import { isShareId } from "./share-id.ts";
import { requireOpenShare } from "./share-of-reader.ts";
import { ShareState } from "./share-state.ts";
import { endShare, pageOfShares, type ShareRow } from "./share-store.ts";

const api = { rate: "api", accountStatus: "any" } as const;
const share = { rate: "share", accountStatus: "speaking" } as const;

export function shareRoutes(deps: ForkDeps, rates: RateLimits): Route[] {
  const { db, ports } = deps;
  /** Both calls together: 9 beyond the class. */
  const checkRate = async ({ user }: { user: { id: string } }): Promise<void> => {
    if (!(await rates.countShare(user.id))) throw new Refusal(CreateShareRefusal.RateLimitReached);
  };

  return [
    route(
      createCall,
      { ...share, muted: CreateShareRefusal.UserIsMuted, checkLimit: checkRate },
      async ({ user }, { chat_session_id: sessionId, message_ids: messageIds, title }) => ({
        share_id: await createShare(deps, { userId: user.id, sessionId, messageIds, title }),
      }),
    ),

    route(listShares, api, async ({ user }, request) => {
      const count = request.count ?? LIMITS.sharePageDefault;
      if (count < 1 || count > LIMITS.sharePageMax) throw new Refusal(ListSharesRefusal.IllegalCount);
      const cursor = request.lte_date;
      const createdAtMost = cursor === null ? null : Math.round(cursor * 1000);
      const rows = await pageOfShares(db.kysely, user.id, { createdAtMost, count });
      const counts = await countQuestions(
        db.kysely,
        rows.map((row) => row.id),
      );
      return { shares: rows.map((row) => presentShare(row, counts.get(row.id) ?? 0)) };
    }),

    route(deleteShare, api, async ({ user }, { share_id: id }) => {
      const now = ports.clock.now();
      const ended =
        isShareId(id) && (await db.transaction((trx) => endShare(db, trx, { id, userId: user.id, now })));
      if (!ended) throw new Refusal(DeleteShareRefusal.ShareNotFound);
      return null;
    }),

    route(
      shareContent,
      { rate: "public", accountStatus: "any", answers: ["json", "large-json"] },
      async ({ user }, { share_id: id }) =>
        readShare(db, await requireOpenShare(db.kysely, id), { readerId: user?.id ?? null }),
    ),

    route(
      forkCall,
      { ...share, muted: ForkShareRefusal.UserIsMuted, checkLimit: checkRate },
      async ({ user, locale }, { share_id: shareId, client_fork_id: clientForkId }) => ({
        chat_session_id: await forkShare(deps, { userId: user.id, locale }, { shareId, clientForkId }),
      }),
    ),
  ];
}

function presentShare(row: ShareRow, questions: number): Share {
  return {
    share_id: row.id,
    created_at: toSeconds(row.created_at),
    chat_session_id: row.session_id,
    hint: row.title ?? "",
    questions,
    disabled: row.state === ShareState.Disabled,
  };
}
