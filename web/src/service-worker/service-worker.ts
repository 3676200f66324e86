// The service worker: lets the page open without a network, and a page go on with the files of its own build after an
// update. It holds the page and its files, never an answer of a call (decision 0043).
import { SHARE_LOST_QUERY, SHARED_QUERY } from "@plumb/protocol/wire/share-target";
import { createBuildCaches } from "./build-caches.ts";
import { chooseStrategy } from "./choose-strategy.ts";
import { createKeptShares } from "./kept-shares.ts";
import { offlinePage } from "./offline-page.ts";
import type { PageBuild } from "./page-build.ts";
import { sharedText } from "./shared-text.ts";
import { askFor, type ToWorker } from "./worker-messages.ts";

/** Written in by the build. */
declare const PAGE_BUILD: PageBuild;
declare const self: ServiceWorkerGlobalScope;

/** A server that has not answered by then: the page of the cache opens meanwhile (milliseconds). */
const PAGE_PATIENCE_MS = 4000;
/** A page that does not say in that time by which script it began may be of any build (milliseconds). */
const ENTRY_PATIENCE_MS = 3000;
/** A proxy says that the server is away. */
const AWAY = [502, 503, 504];

const builds = createBuildCaches(PAGE_BUILD, {
  caches: self.caches,
  fetch: (path, init) => self.fetch(path, init),
});
const rules = { origin: self.location.origin, files: PAGE_BUILD.files };
const shares = createKeptShares();

self.addEventListener("install", (event) => {
  // Browsers that can do so ask the server itself for all calls, without starting the worker.
  if ("addRoutes" in event)
    (event as { addRoutes(route: object): Promise<void> })
      .addRoutes({ condition: { urlPattern: "/api/*" }, source: "network" })
      .catch(() => undefined);
  // No waiting for pages of the build before: they find their files in its cache.
  event.waitUntil(builds.install().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { method, url, mode, destination, headers } = request;
  const strategy = chooseStrategy({ method, url, mode, destination, hasRange: headers.has("range") }, rules);
  if (strategy === "pass") return;
  const { pathname: path } = new URL(url);
  switch (strategy) {
    case "asset":
      return event.respondWith(asset(event, path));
    case "file":
      return event.respondWith(file(request, path));
    case "page":
      return event.respondWith(page(event));
    case "share":
      return event.respondWith(takeShared(event));
    case "other":
      return event.respondWith(other(event, path));
  }
});

async function asset(event: FetchEvent, path: string): Promise<Response> {
  const kept = await builds.asset(path);
  if (kept !== undefined) return kept;
  const answer = await fetch(event.request);
  event.waitUntil(builds.keepAsset(path, answer.clone()));
  return answer;
}

async function file(request: Request, path: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await builds.file(path);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** What the server answers to whoever opens a page: the browser has asked while the worker began. */
async function fromServer(event: FetchEvent): Promise<Response> {
  return ((await event.preloadResponse) as Response | undefined) ?? fetch(event.request);
}

/** What only the server has is kept nowhere. */
async function other(event: FetchEvent, path: string): Promise<Response> {
  // A browser does not say why nothing came.
  const answer = await fromServer(event).catch(() => null);
  if (answer !== null && !AWAY.includes(answer.status)) return answer;
  return offlinePage({ path, languages: navigator.languages, isOnline: navigator.onLine });
}

/** The server's page, which may be of a newer build; this build's where the server is away or slow. */
async function page(event: FetchEvent): Promise<Response> {
  const asked = fromServer(event);
  // Also when the answer comes too late to be used.
  event.waitUntil(
    asked.then(
      () => undefined,
      () => undefined,
    ),
  );
  const inTime = await Promise.race([
    asked.catch(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), PAGE_PATIENCE_MS)),
  ]);
  if (inTime !== null && !AWAY.includes(inTime.status)) return inTime;
  return (await builds.page()) ?? inTime ?? asked;
}

/** Keeps what is shared until the page that opens now takes it: only its id stands in an address and reaches a server. */
async function takeShared(event: FetchEvent): Promise<Response> {
  let query = SHARE_LOST_QUERY;
  try {
    const form = await event.request.formData();
    const { id, gone } = shares.keep(sharedText((name) => form.get(name)));
    query = SHARED_QUERY + id;
    // A worker with nothing to do is ended, and what it knows with it.
    event.waitUntil(gone);
  } catch {
    // A body that cannot be read: the page says that nothing came.
  }
  return Response.redirect(`/?${query}`, 303);
}

self.addEventListener("message", (event) => {
  const [port] = event.ports;
  const message = event.data as ToWorker;
  switch (message.kind) {
    case "loaded":
      return event.waitUntil(dropUnused());
    case "which-build":
      return port?.postMessage(PAGE_BUILD.entry);
    case "take-shared":
      return port?.postMessage(shares.take(message.id));
  }
});

async function dropUnused(): Promise<void> {
  if ((await builds.otherNames()).length === 0) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const entries = await Promise.all(
    pages.map((client) => askFor(client, { kind: "which-entry" }, ENTRY_PATIENCE_MS)),
  );
  await builds.dropUnused(entries);
}
