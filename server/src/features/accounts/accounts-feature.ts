// Accounts: signing up and in, tokens, settings, deletion.
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import { JobRunner } from "../../platform/jobs/job-runner.ts";
import { pruneOutbox } from "../../platform/outbox.ts";
import { periodic } from "../../platform/periodic.ts";
import { RateLimits } from "../guard/rate-limit.ts";
import { accountRoutes } from "./account-routes.ts";
import { type AccountGatekeepers, accountGatekeepers } from "./authenticate.ts";
import { codeRoutes } from "./code-routes.ts";
import { deleteExpiredInvitations } from "./invitation-store.ts";
import { inviteFirst } from "./invitations.ts";
import { deleteExpiredTokens } from "./login-token-store.ts";
import { ACCOUNT_JOB, runForgetting } from "./forget-account.ts";
import { LoginTokens } from "./login-tokens.ts";
import { NOTICE_JOB, sendNotice } from "./notices.ts";
import { ownAccountRoutes } from "./own-account-routes.ts";
import { PasswordTries } from "./password-tries.ts";
import { CodeSender } from "./send-code.ts";
import { resetRoutes } from "./reset-routes.ts";
import { securityRoutes } from "./security-routes.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { signUpRoutes } from "./sign-up-routes.ts";
import { forgetFormerMobiles } from "./user-store.ts";
import { deleteExpiredCodes } from "./verification-code-store.ts";
import { codeKeyOf } from "./verification-codes.ts";
import { warnWithoutSender } from "./warn-without-sender.ts";

/** Accounts whose deletion a dead process has begun. */
const DELETIONS_AT_ONCE = 2;
const NOTICES_AT_ONCE = 4;

/** Codes are good for minutes; of a deleted account nothing is left after a day (wire-contract.md §9). */
const OUTBOX_LIFE_MS = 23 * 3_600_000;

interface AccountsFeature extends Feature, AccountGatekeepers {
  /** What lets the first account sign up without a code; null as soon as there is one. */
  inviteFirst(): Promise<string | null>;
}

/** The account's routes, and steps 5 and 6 of the checks (wire-contract.md §1.6). */
export function accountsFeature(deps: Deps): AccountsFeature {
  const { config, db, ports } = deps;
  const tokens = new LoginTokens(deps);
  const tries = new PasswordTries(deps);
  // This feature counts in the database only, so its limits need not be the guard's own instance.
  const rates = new RateLimits(deps);
  const sender = new CodeSender({ db, rates, codeKey: codeKeyOf(deps.secretKey) });
  const jobs = new JobRunner(deps, [
    { kind: ACCOUNT_JOB, atOnce: DELETIONS_AT_ONCE, run: (job) => runForgetting(deps, job) },
    { kind: NOTICE_JOB, atOnce: NOTICES_AT_ONCE, run: (job) => sendNotice(deps, job) },
  ]);
  const cleanUp = periodic(deps, "accounts clean-up", 5 * 60_000, async () => {
    await deleteExpiredCodes(db, ports.clock.now());
    await deleteExpiredTokens(db, ports.clock.now());
    await deleteExpiredInvitations(db.kysely, ports.clock.now());
    await forgetFormerMobiles(db.kysely, ports.clock.now());
    await pruneOutbox(config.dataDir, ports.clock.now() - OUTBOX_LIFE_MS);
  });

  return {
    name: "accounts",
    routes: [
      ...codeRoutes(deps, sender),
      ...signUpRoutes(deps),
      ...signInRoutes(deps, tries),
      ...resetRoutes(deps, jobs),
      ...accountRoutes(deps, tokens),
      ...ownAccountRoutes(deps, { tokens, rates, jobs }),
      ...securityRoutes(deps, { tokens, sender, jobs }),
    ],
    ...accountGatekeepers(tokens, ports.clock, config),
    inviteFirst: () => inviteFirst(deps, ports.clock.now()),
    async start() {
      warnWithoutSender(deps);
      await tokens.start();
      await jobs.start();
      cleanUp.start();
    },
    async stop() {
      await sender.settle();
      await cleanUp.stop();
      await jobs.stop();
      await tokens.stop();
    },
  };
}
