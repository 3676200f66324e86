// The built web client: hashed assets for ever, pages with their policies, one page for every route of the client.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../network-of.ts";
import { sendBadPath } from "./bad-path.ts";
import { defaultHttpLimits } from "./http-limits.ts";
import { mountInstalledApp } from "./installed-app.ts";
import { LargeAnswers } from "./large-answers.ts";
import { isHost } from "./malformed-request.ts";
import { contextOf } from "./mount-route.ts";
import { type OwnPages, readPageWith, sendOwnPage, sendOwnText } from "./own-pages.ts";
import { type OutsideSources, pagePolicy } from "./page-policy.ts";
import { pageHeaders, sandboxPermissions } from "./security-headers.ts";
import { sendPlain } from "./send-plain.ts";

/** Workers hash in WebAssembly; their own response says what they may do, not the page's. */
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/**
 * wire-contract.md §6.7: of the pages that show what strangers wrote, HTML of a reply that runs and diagrams. Each has an origin
 * of its own and may do nothing that it is not given here. A policy of content knows neither WebRTC nor the connection that is
 * opened ahead of a refused navigation, so that browsers are told to open none but to `connections`, a list of URL patterns.
 */
function sandboxHeaders({
  scripts,
  connections,
}: {
  scripts: string;
  connections: string;
}): Record<string, string> {
  return {
    "content-security-policy": [
      "sandbox allow-scripts",
      "default-src 'none'",
      `script-src ${scripts}`,
      "style-src 'unsafe-inline'",
      "img-src data: blob:",
      "frame-ancestors 'self'",
    ].join("; "),
    "connection-allowlist": `(${connections})`,
    "permissions-policy": sandboxPermissions,
    "x-dns-prefetch-control": "off",
  };
}

const noBuild = "The web client has not been built. Run: npm run build\n";
const immutable = "public, max-age=31536000, immutable";

/** Names under these are the app's own and may hold a dot (web/src/app/paths.ts). */
const appFolders = /^\/a\//u;

/**
 * Whether a path asks for a file, such as /robots.txt or /.env, by the dot in its last segment: then the page is no
 * answer to it. Undefined when the path cannot be read.
 */
function asksForFile(url: string): boolean | undefined {
  let path: string;
  try {
    path = decodeURIComponent(url.split("?")[0] ?? "");
  } catch {
    return undefined;
  }
  if (/\p{Cc}/u.test(path)) return undefined;
  return !appFolders.test(path) && /\.[^/]*$/u.test(path);
}

/** Serves `dist`. Returns the handler of every path that nothing else answers. `publicUrl` null = as the caller says. */
export async function mountStaticSite(
  server: FastifyInstance,
  {
    dist,
    publicUrl,
    brandName,
    ownPages,
    outside,
  }: {
    dist: string;
    publicUrl: string | null;
    brandName: string;
    ownPages: OwnPages;
    outside: OutsideSources;
  },
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  const built = existsSync(join(dist, "index.html"));
  const ofPages = { ...pageHeaders(publicUrl), "content-security-policy": pagePolicy(outside) };
  const texts = new LargeAnswers(defaultHttpLimits.largeAnswersPerCaller);
  const missing = (reply: FastifyReply): FastifyReply => sendPlain(reply, 404, "Not found");

  if (built) {
    const root = join(dist, "static");
    await server.register(fastifyStatic, {
      root,
      prefix: "/static/",
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const name = relative(root, path).replace(/\.(?:br|gz|deflate)$/u, "");
        reply.headers(headersOf(name, originOf(reply.request, publicUrl), ofPages));
      },
    });
    // What browsers ask for by themselves beside a page that names no icon, such as a plain text.
    server.route({
      method: ["GET", "HEAD"],
      url: "/favicon.ico",
      handler: async (_request, reply) => reply.sendFile("favicon.svg"),
    });
    mountInstalledApp(server, { dist, brandName });
  }

  return async (request, reply) => {
    const file = asksForFile(request.url);
    if (file === undefined) return sendBadPath(request, reply);
    if (file || request.url.startsWith("/static/")) return missing(reply);
    if (!built) {
      return reply
        .code(503)
        .headers({ "content-type": "text/plain; charset=utf-8", "retry-after": "5" })
        .send(noBuild);
    }
    const [path = "", query = ""] = request.url.split("?");
    const own = await ownPages(contextOf(request), { path, query });
    if (own?.kind === "missing") return missing(reply);
    if (own?.kind === "text") {
      texts.open(networkOf(contextOf(request).ip), reply.raw);
      return sendOwnText(reply, own.pieces);
    }
    reply.headers({ ...ofPages, "cache-control": "no-cache" });
    if (own === null) return reply.sendFile("index.html", dist);
    const { html, inline } = await readPageWith(dist, own);
    reply.header("content-security-policy", pagePolicy(outside, inline));
    return sendOwnPage(reply, html, contextOf(request));
  };
}

function originOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  // The Host header goes into a policy: only what can be a host.
  const host = isHost(request.host) ? request.host : "localhost";
  return `${request.protocol}://${host}`;
}

/** Of a file below `static/`, by its name there. */
function headersOf(name: string, origin: string, ofPages: Record<string, string>): Record<string, string> {
  const cache = { "cache-control": name.startsWith("assets/") ? immutable : "no-cache" };
  // In a sandbox without an origin 'self' names nothing, so that the path is spelled out.
  if (name === "diagram.html") {
    const ours = `${origin}/static/`;
    return { ...cache, ...sandboxHeaders({ scripts: ours, connections: `"${ours}*"` }) };
  }
  if (name === "run.html")
    return { ...cache, ...sandboxHeaders({ scripts: "'unsafe-inline'", connections: "" }) };
  if (name.endsWith(".html")) return { ...cache, ...ofPages };
  // A sandboxed page has no origin, so that its module scripts and fonts are foreign requests.
  const shared = {
    ...cache,
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  };
  return /\.worker[-.][\w-]+\.js$/u.test(name)
    ? { ...shared, "content-security-policy": workerPolicy }
    : shared;
}
