// The page's side of the service worker: it registers it, looks for newer ones, and lets go of one that the server has no more.
import { CACHE_PREFIX } from "../service-worker/build-caches.ts";
import { askFor, type ToPage, type ToWorker } from "../service-worker/worker-messages.ts";

const WORKER = "/sw.js";
/** A page that stays open looks for a newer worker so often (milliseconds). */
const LOOK_EVERY_MS = 3_600_000;
const ANSWER_MS = 5000;

export interface WorkerDeps {
  log(message: string, detail?: unknown): void;
  /** The worker is of another build than this page; `entry` is the script by which that begins. */
  onOtherBuild(entry: string): void;
}

/** By which script this page began; null where the page names none. */
function ownEntry(): string | null {
  return document.querySelector('script[type="module"][src]')?.getAttribute("src") ?? null;
}

/**
 * Registers the worker. True where there is one now: a browser has none over plain http, and may have been told to have
 * none.
 */
export async function registerWorker(deps: WorkerDeps): Promise<boolean> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (workers === undefined) return false;
  const entry = ownEntry();
  workers.addEventListener("message", ({ data, ports }) => {
    if ((data as ToPage).kind === "which-entry") ports[0]?.postMessage(entry);
  });
  const found = await workers.getRegistration();
  const registration = await register(workers, deps);
  if (registration === null) return false;

  async function compare({ installing, waiting, active }: ServiceWorkerRegistration): Promise<void> {
    const coming = installing ?? waiting;
    if (coming !== null) await settled(coming);
    const worker = coming?.state === "activated" ? coming : active;
    if (worker === null) return;
    const build = await askFor(worker, { kind: "which-build" } satisfies ToWorker, ANSWER_MS);
    if (build !== null && build !== entry) deps.onOtherBuild(build);
  }

  async function look(current: ServiceWorkerRegistration): Promise<void> {
    try {
      await current.update();
    } catch (error) {
      if (await isGone()) return retire(workers, deps);
      return deps.log("a newer version was not looked for", error);
    }
    await compare(current);
  }

  registration.addEventListener("updatefound", () => void compare(registration));
  registration.active?.postMessage({ kind: "loaded" } satisfies ToWorker, []);
  // One that was registered this moment is the newest.
  if (found !== undefined) await look(registration);
  let lookedAt = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = Date.now();
    void look(registration);
  });
  return true;
}

async function register(
  workers: ServiceWorkerContainer,
  deps: WorkerDeps,
): Promise<ServiceWorkerRegistration | null> {
  try {
    // Where a browser is told to register none, it may answer nothing at all.
    return (
      ((await workers.register(WORKER, { updateViaCache: "none" })) as
        ServiceWorkerRegistration | undefined) ?? null
    );
  } catch (error) {
    deps.log("the service worker was not registered", error);
    if (await isGone()) await retire(workers, deps);
    return null;
  }
}

/** Resolves when a worker has begun its service, or was given up. */
function settled(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (worker.state !== "activated" && worker.state !== "redundant") return;
      worker.removeEventListener("statechange", look);
      resolve();
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

/** Whether the server says that there is no worker, and not merely nothing. */
async function isGone(): Promise<boolean> {
  try {
    const { status } = await fetch(WORKER, { method: "HEAD", cache: "no-store" });
    return status === 404 || status === 410;
  } catch {
    return false;
  }
}

/** Takes the worker and what it keeps out of this browser. */
async function retire(workers: ServiceWorkerContainer | undefined, deps: WorkerDeps): Promise<void> {
  const registrations = (await workers?.getRegistrations()) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister()));
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX));
  await Promise.all(names.map((name) => caches.delete(name)));
  if (registrations.length > 0) deps.log("the service worker was taken out of use");
}
