// Public links to chosen messages, and their readers' own copies.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import type { OwnPages } from "../../platform/http/own-pages.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { JobRunner } from "../../platform/jobs/job-runner.ts";
import { periodic } from "../../platform/periodic.ts";
import type { FilesFeature } from "../files/files-feature.ts";
import { RateLimits } from "../guard/rate-limit.ts";
import { deleteShareWordsLeftOf, runDeletionOfShareWords, SHARE_WORDS_JOB } from "./delete-share-words.ts";
import { deleteForksOfSessions, deleteForksOfUser, purgeForks } from "./known-fork-store.ts";
import { isSharePath, sharePage } from "./share-page.ts";
import { dropCopiesOf, purgeCopies } from "./session-copy-store.ts";
import { shareRoutes } from "./share-routes.ts";
import { deleteSharesOfUser, endSharesOfSessions, purgeShares } from "./share-store.ts";

/** Large shares that have ended. */
const DELETIONS_AT_ONCE = 2;
const PURGE_MS = 10 * 60_000;
/** Nothing is made for so long: what is older and not finished is of a process that died. */
const DEAD_AFTER_MS = 30 * 60_000;

export interface SharingFeature extends Feature {
  /** What is written into the pages of shares. */
  pages: OwnPages;
}

/** `checkRate` counts a look at such a page against its address, and throws what refuses it. */
export function sharingFeature(
  deps: Deps,
  {
    copyText,
    checkRate,
  }: Pick<FilesFeature, "copyText"> & { checkRate(context: RequestContext): Promise<void> },
): SharingFeature {
  const { db, ports, events, config } = deps;
  const { clock } = ports;

  events.on("sessionsDeleted", async ({ sessionIds, trx }) => {
    await endSharesOfSessions(db, trx, sessionIds, clock.now());
    await deleteForksOfSessions(trx, sessionIds);
  });

  events.on("historyWordsLeft", ({ userId, signal }) => deleteShareWordsLeftOf(deps, userId, signal));

  events.on("accountDeleting", ({ userId }) => dropCopiesOf(db, userId));
  events.on("accountDeleted", async ({ userId, trx }) => {
    await deleteSharesOfUser(db, trx, userId);
    await deleteForksOfUser(trx, userId);
  });

  const jobs = new JobRunner(deps, [
    {
      kind: SHARE_WORDS_JOB,
      atOnce: DELETIONS_AT_ONCE,
      run: (job) => runDeletionOfShareWords(deps, job),
    },
  ]);
  const purge = periodic(deps, "purge of shares", PURGE_MS, async () => {
    const before = clock.now() - DEAD_AFTER_MS;
    await purgeShares(db, clock, before);
    await purgeCopies(db, clock, before);
    await purgeForks(db, clock.now());
  });

  return {
    name: "sharing",
    // Its counts are in the database: they need not be the guard's own instance.
    routes: shareRoutes({ ...deps, copyText }, new RateLimits(deps)),
    async pages(context, request) {
      if (!isSharePath(request.path)) return null;
      await checkRate(context);
      return sharePage({ db, brandName: config.brandName }, request);
    },
    async start() {
      await jobs.start();
      purge.start();
    },
    async stop() {
      await purge.stop();
      await jobs.stop();
    },
  };
}
