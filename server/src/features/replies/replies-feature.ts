// One answer, whoever is listening.
import { randomUUID } from "node:crypto";
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { periodic } from "../../platform/periodic.ts";
import { runningReplies } from "../sessions/reply-store.ts";
import { releaseLeases } from "../sessions/stream-log-store.ts";
import { PageThread } from "../search/page-thread.ts";
import { SiteIcons } from "../search/site-icons.ts";
import { GroupCommit } from "./group-commit.ts";
import { createLeaseKeeper } from "./lease-keeper.ts";
import { LiveReplies } from "./live-replies.ts";
import { purgeLogs } from "./purge-logs.ts";
import type { ReplyContext } from "./reply-context.ts";
import { ReplyFeeds } from "./reply-feeds.ts";
import { replyRoutes } from "./reply-routes.ts";
import { createReplyService, type ReplyService } from "./reply-service.ts";
import { stopBanned } from "./stop-banned.ts";
import { STOP_CHANNEL, stopNoticed, stopReply } from "./stop-reply.ts";
import { StreamSubscribers } from "./stream-subscribers.ts";

const PURGE_MS = 60_000;

export interface RepliesFeature extends Feature {
  service: ReplyService;
}

export function repliesFeature(deps: Deps): RepliesFeature {
  const { db, config, ports, log, metrics, events } = deps;
  const owner = randomUUID();
  const commit = new GroupCommit({
    db,
    owner,
    flushMs: config.logFlushMs,
    clock: ports.clock,
    log,
    metrics,
  });
  const release = async (): Promise<void> => {
    try {
      await commit.exclusive(() => releaseLeases(db, owner));
    } catch (error) {
      log.warn({ err: error }, "the leases of this process could not be released; they lapse");
    }
  };
  const { fetchOutside } = deps;
  const thread = new PageThread(ports.clock);
  const context: ReplyContext = {
    ...deps,
    owner,
    commit,
    feeds: new ReplyFeeds(db, log, ports.clock),
    live: new LiveReplies(metrics, release),
    searching: { fetchOutside, thread, icons: new SiteIcons(fetchOutside) },
  };
  const subscribers = new StreamSubscribers(context);
  const service = createReplyService(context, subscribers);
  const keeper = createLeaseKeeper(context);
  const banned = stopBanned(context);
  const purge = periodic(deps, "purge of stream logs", PURGE_MS, async () => {
    context.feeds.sweep();
    await purgeLogs(db, ports.clock, ports.clock.now() - config.replyRetentionMs);
  });
  let unlisten: (() => void) | undefined;

  events.on("sessionsDeleting", async ({ sessionIds }) => {
    const running = await runningReplies(db.kysely, sessionIds);
    await Promise.all(running.map((reply) => stopReply(context, reply)));
  });
  events.on("tokensRevoked", async ({ userId, tokenHash }) => subscribers.cutToken(userId, tokenHash));

  return {
    name: "replies",
    routes: replyRoutes(service),
    service,
    async start() {
      unlisten = await db.listen(STOP_CHANNEL, (notice) => stopNoticed(context.live, notice));
      await context.feeds.start();
      subscribers.start();
      await keeper.start();
      banned.start();
      purge.start();
    },
    async stop() {
      await context.live.handOverAll();
      unlisten?.();
      await Promise.all([
        subscribers.stop(),
        keeper.stop(),
        banned.stop(),
        purge.stop(),
        context.feeds.stop(),
      ]);
      // What a claim under way had taken meanwhile.
      await context.live.handOverAll();
      await thread.close();
    },
  };
}
