// The caches of the worker: one for each build of the page, with the page and its files and nothing else.
import type { PageBuild } from "./page-build.ts";

/** How the names of our caches begin. */
export const CACHE_PREFIX = "plumb-page-";
/** The page is kept under this path, whatever address it was asked for by. */
const PAGE = "/";
/** So many files come at once: the page may be loading something itself. */
const AT_ONCE = 4;
/** Every build's assets have names of their own, whatever headers they were asked for with. */
const BY_PATH = { ignoreVary: true } as const;

export interface CacheHost {
  caches: CacheStorage;
  fetch(path: string, init: RequestInit): Promise<Response>;
}

export function createBuildCaches(build: PageBuild, { caches, fetch }: CacheHost) {
  const name = `${CACHE_PREFIX}${build.id}`;

  async function otherNames(): Promise<string[]> {
    return (await caches.keys()).filter((one) => one.startsWith(CACHE_PREFIX) && one !== name);
  }

  /** Whether an answer is the file itself, and not what some proxy says instead. */
  function isFile(answer: Response): boolean {
    const type = answer.headers.get("content-type") ?? "";
    return answer.status === 200 && !answer.redirected && !type.startsWith("text/html");
  }

  /** The page of this build; the server may have another one already, whose files are not ours. */
  async function keepPage(cache: Cache): Promise<void> {
    const page = await fetch(PAGE, { cache: "no-cache" });
    if (page.status !== 200 || page.redirected || !(await page.clone().text()).includes(build.entry))
      throw new Error("the server's page is of another build");
    await cache.put(PAGE, page);
  }

  async function fetched(path: string, init: RequestInit): Promise<Response> {
    const answer = await fetch(path, init);
    if (!isFile(answer)) throw new Error(`${path} could not be had: ${answer.status}`);
    return answer;
  }

  /** Fetches what this build consists of. Rejects when a part of it cannot be had; asked again, it goes on from there. */
  async function install(): Promise<void> {
    const cache = await caches.open(name);
    await keepPage(cache);
    for (const path of build.files) await cache.put(path, await fetched(path, { cache: "no-cache" }));
    const waiting = [...build.assets];
    async function work(): Promise<void> {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        if ((await cache.match(path, BY_PATH)) !== undefined) continue;
        // What has not changed since the build before is there already.
        await cache.put(path, (await asset(path)) ?? (await fetched(path, {})));
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** The page of this build, as the server sent it. */
  async function page(): Promise<Response | undefined> {
    return (await caches.open(name)).match(PAGE);
  }

  /** A file whose name stays, of this build. */
  async function file(path: string): Promise<Response | undefined> {
    return (await caches.open(name)).match(path, BY_PATH);
  }

  /** An asset of any build that is kept: a page goes on with the files of its own. */
  async function asset(path: string): Promise<Response | undefined> {
    for (const one of [name, ...(await otherNames())]) {
      const found = await (await caches.open(one)).match(path, BY_PATH);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Keeps an asset that the page has asked for and that is not among those kept at once, such as a font. */
  async function keepAsset(path: string, answer: Response): Promise<void> {
    if (isFile(answer)) await (await caches.open(name)).put(path, answer);
  }

  /**
   * Lets go of builds of which no page is open any more. `entries`: by which script each open page began, null where one
   * does not say: it may be of any build.
   */
  async function dropUnused(entries: readonly (string | null)[]): Promise<void> {
    if (entries.includes(null)) return;
    for (const other of await otherNames()) {
      const cache = await caches.open(other);
      const used = await Promise.all(entries.map((entry) => cache.match(entry ?? "", BY_PATH)));
      if (used.every((found) => found === undefined)) await caches.delete(other);
    }
  }

  return { install, page, file, asset, keepAsset, dropUnused, otherNames };
}
