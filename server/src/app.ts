// The product: mounts the features in order. The one file that knows them all.
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Config } from "./config.ts";
import { EventBus } from "./events.ts";
import { accountsFeature } from "./features/accounts/accounts-feature.ts";
import { agentsFeature } from "./features/agents/agents-feature.ts";
import { exportsFeature } from "./features/exports/exports-feature.ts";
import { feedbackFeature } from "./features/feedback/feedback-feature.ts";
import { filesFeature } from "./features/files/files-feature.ts";
import { guardFeature } from "./features/guard/guard-feature.ts";
import { importsFeature } from "./features/imports/imports-feature.ts";
import { oauthFeature } from "./features/oauth/oauth-feature.ts";
import { repliesFeature } from "./features/replies/replies-feature.ts";
import { sharingFeature } from "./features/sharing/sharing-feature.ts";
import { sessionsFeature } from "./features/sessions/sessions-feature.ts";
import { outsideSources } from "./features/site/outside-sources.ts";
import { siteFeature } from "./features/site/site-feature.ts";
import { turnsFeature } from "./features/turns/turns-feature.ts";
import type { Database } from "./platform/database/database.ts";
import type { Deps } from "./platform/deps.ts";
import type { Feature } from "./platform/http/feature.ts";
import { createGuardedFetch, type GuardedFetch } from "./platform/http/guarded-fetch.ts";
import type { Gatekeepers } from "./platform/http/gatekeepers.ts";
import { mountHealthRoutes } from "./platform/http/health-routes.ts";
import type { HttpLimits } from "./platform/http/http-limits.ts";
import { createHttpServer } from "./platform/http/http-server.ts";
import type { Route } from "./platform/http/route.ts";
import { mountStaticSite } from "./platform/http/static-site.ts";
import type { Logger } from "./platform/logger.ts";
import { createMetrics } from "./platform/metrics.ts";
import { loadSecretKey } from "./platform/secret-key.ts";
import type { Ports } from "./ports/ports.ts";

export interface App {
  readonly fastify: FastifyInstance;
  /** What the features were given, and the routes of all of them with their policies. */
  readonly deps: Deps;
  readonly routes: readonly Route[];
  /** What lets the first account sign up without a code; null as soon as there is one. */
  inviteFirst(): Promise<string | null>;
  /** The features' background work begins; from here on /readyz may answer 200. */
  start(): Promise<void>;
  /**
   * /readyz answers 503 at once, requests are served for `serveMs` more, each as the last of its connection; then every
   * feature stops: running replies are handed over and their connections end.
   */
  drain(serveMs: number): Promise<void>;
  /** Ends every connection. Drain first. */
  close(): Promise<void>;
}

export interface AppOptions {
  db: Database;
  log: Logger;
  /** The built web client; another folder in tests. */
  webRoot?: string;
  /** Smaller ones in tests. */
  httpLimits?: Partial<HttpLimits>;
  /** Over another network in tests. */
  fetchOutside?: GuardedFetch;
}

const builtWeb = fileURLToPath(new URL("../../web/dist", import.meta.url));
/** Connections that are still open so long after their features stopped are cut. */
const closeTimeoutMs = 1500;

/** The application over an open, migrated database. Nothing runs or listens yet. */
export async function createApp(
  config: Config,
  ports: Ports,
  { db, log, webRoot = builtWeb, httpLimits, fetchOutside = createGuardedFetch() }: AppOptions,
): Promise<App> {
  const metrics = createMetrics();
  const deps: Deps = {
    config,
    db,
    ports,
    log,
    events: new EventBus(),
    metrics,
    fetchOutside,
    secretKey: loadSecretKey(config),
  };

  const guard = guardFeature(deps);
  const accounts = accountsFeature(deps);
  const files = filesFeature(deps);
  const replies = repliesFeature(deps);
  const sharing = sharingFeature(deps, {
    copyText: files.copyText,
    checkRate: (context) => guard.checkIpRate(context, "public", { path: "/share" }),
  });
  const features: Feature[] = [
    guard,
    accounts,
    oauthFeature(deps),
    agentsFeature(deps),
    files,
    sessionsFeature(deps),
    feedbackFeature(deps),
    replies,
    turnsFeature(replies.service),
    sharing,
    exportsFeature(deps),
    importsFeature(deps, files),
    siteFeature(deps),
  ];
  const gates: Gatekeepers = {
    checkIpRate: (context, rate, call) => guard.checkIpRate(context, rate, call),
    checkClearance: (context) => guard.checkClearance(context),
    authenticate: (token, ip) => guard.lookUpToken(token, ip, () => accounts.authenticate(token)),
    checkAccountStatus: (context, accountStatus) => accounts.checkAccountStatus(context, accountStatus),
    checkBeforeBody: (context, rate) => guard.checkBeforeBody(context, rate),
    checkUserRate: (context, rate, call) => guard.checkUserRate(context, rate, call),
    checkProof: (context, call) => guard.checkProof(context, call),
  };

  const routes = features.flatMap((feature) => feature.routes);
  let state: "starting" | "ready" | "draining" | "stopping" = "starting";
  const fastify = await createHttpServer(
    {
      edition: config.edition,
      publicUrl: config.publicUrl,
      limits: {
        unfinishedPerNetwork: config.unfinishedPerAddress,
        connectionsPerNetwork: config.connectionsPerAddress,
        ...httpLimits,
      },
      trustedProxies: config.trustedProxies,
      allowedOrigins: config.allowedOrigins,
      routes,
      gates,
      log,
      metrics,
      phase: () => (state === "draining" || state === "stopping" ? state : "serving"),
    },
    async (server) => {
      mountHealthRoutes(server, {
        state: () => state,
        db,
        clock: ports.clock,
        model: ports.model,
        objectStore: ports.objectStore,
        metrics,
        metricsToken: config.metricsToken,
      });
      return mountStaticSite(server, {
        dist: webRoot,
        publicUrl: config.publicUrl,
        brandName: config.brandName,
        ownPages: sharing.pages,
        outside: outsideSources(config),
      });
    },
  );

  return {
    fastify,
    deps,
    routes,
    inviteFirst: accounts.inviteFirst,
    async start() {
      for (const feature of features) await feature.start?.();
      state = "ready";
    },
    async drain(serveMs) {
      state = "draining";
      await new Promise((resolve) => setTimeout(resolve, serveMs));
      state = "stopping";
      // All at once: replies are handed over at once, and not after the jobs of others, which may take seconds to let go.
      await Promise.all(
        features.map(async (feature) => {
          try {
            await feature.stop?.();
          } catch (error) {
            log.error({ err: error, feature: feature.name }, "a feature did not stop cleanly");
          }
        }),
      );
    },
    async close() {
      const cut = setTimeout(() => fastify.server.closeAllConnections(), closeTimeoutMs);
      await fastify.close();
      clearTimeout(cut);
    },
  };
}
