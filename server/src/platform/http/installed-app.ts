// What makes the page an app that installs: its manifest, its service worker, and what other apps share with it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SHARE_LOST_QUERY, SHARE_TARGET_PATH } from "@plumb/protocol/wire/share-target";
import type { FastifyInstance } from "fastify";
import { webManifest, localeOfLanguages } from "./web-manifest.ts";

const worker = "sw.js";

/** The worker asks this origin alone, and runs nothing but itself. */
const workerHeaders = {
  "content-security-policy": "default-src 'none'; script-src 'self'; connect-src 'self'",
  "service-worker-allowed": "/",
  // Or an update would wait for a cache.
  "cache-control": "no-cache",
};

/** Mounts it over a built page; `sendFile` of the server's files must be there. Without a worker in `dist` its path is not found. */
export function mountInstalledApp(
  server: FastifyInstance,
  { dist, brandName }: { dist: string; brandName: string },
): void {
  const hasWorker = existsSync(join(dist, worker));
  server.route({
    method: ["GET", "HEAD"],
    url: "/manifest.webmanifest",
    handler: async (request, reply) => {
      const locale = localeOfLanguages(request.headers["accept-language"]);
      return reply
        .headers({
          "content-type": "application/manifest+json; charset=utf-8",
          "cache-control": "no-cache",
          vary: "accept-language",
        })
        .send(JSON.stringify(webManifest({ brandName, locale, takesShares: hasWorker })));
    },
  });
  if (!hasWorker) return;
  server.route({
    method: ["GET", "HEAD"],
    url: `/${worker}`,
    handler: async (_request, reply) => reply.headers(workerHeaders).sendFile(worker, dist),
  });
  // The worker takes what is shared. Where a browser has lost it, the text is not read here: the page says what to do.
  server.route({
    method: "POST",
    url: SHARE_TARGET_PATH,
    handler: async (_request, reply) =>
      reply
        .code(303)
        .headers({ location: `/?${SHARE_LOST_QUERY}`, "cache-control": "no-store" })
        .send(),
  });
}
