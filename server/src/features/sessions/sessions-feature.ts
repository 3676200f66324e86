// Conversations as stored.
import { LIMITS } from "@plumb/protocol/limits";
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { JobRunner } from "../../platform/jobs/job-runner.ts";
import { deleteHistory, HISTORY_JOB, runDeletion } from "./delete-history.ts";
import { runDeletionOfWords, WORDS_JOB } from "./delete-words.ts";
import { forgetAllWords } from "./index-history.ts";
import { indexWaiting } from "./index-waiting.ts";
import { searchRoutes } from "./search-routes.ts";
import { messageRoutes } from "./message-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { hasSessions } from "./session-store.ts";
import { forgetMarks, purgeSessions } from "./purge-store.ts";
import { periodic } from "../../platform/periodic.ts";

/** Histories whose deletion a dead process has begun; large sessions that are gone. */
const DELETIONS_AT_ONCE = 2;
const PURGE_MS = 10 * 60_000;
/** How long words of what was deleted may stay in the index, and what was said before there was one outside it. */
const INDEX_MS = 2000;

export function sessionsFeature(deps: Deps): Feature {
  const purge = periodic(deps, "purge of sessions", PURGE_MS, () =>
    purgeSessions({ db: deps.db, clock: deps.ports.clock }, LIMITS),
  );
  const jobs: JobRunner = new JobRunner(deps, [
    { kind: HISTORY_JOB, atOnce: DELETIONS_AT_ONCE, run: (job) => runDeletion({ ...deps, jobs }, job) },
    { kind: WORDS_JOB, atOnce: DELETIONS_AT_ONCE, run: (job) => runDeletionOfWords(deps, job) },
  ]);
  const index = periodic(deps, "index of the history", INDEX_MS, async () => {
    await forgetAllWords(deps.db, deps.ports.clock);
    await indexWaiting(deps.db, deps.ports.clock);
  });
  deps.events.on("accountDeleting", async ({ userId }) => {
    await deleteHistory({ ...deps, jobs }, userId);
    await forgetMarks({ db: deps.db, clock: deps.ports.clock }, userId);
  });
  deps.events.on("accountDeleted", async ({ userId, trx }) => {
    if (await hasSessions(trx, userId)) throw new Error("a chat was begun while its account was deleted");
  });
  return {
    name: "sessions",
    routes: [...sessionRoutes(deps, jobs), ...messageRoutes(deps), ...searchRoutes(deps)],
    async start() {
      await jobs.start();
      purge.start();
      index.start();
    },
    async stop() {
      await purge.stop();
      await index.stop();
      await jobs.stop();
    },
  };
}
