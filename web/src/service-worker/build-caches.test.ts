import { expect, test } from "vitest";
import { CACHE_PREFIX, createBuildCaches } from "./build-caches.ts";
import type { PageBuild } from "./page-build.ts";

/** As browsers have it, for what the worker uses of it. */
function fakeCaches(): CacheStorage {
  const all = new Map<string, Map<string, Response>>();
  function open(name: string): Cache {
    const held = all.get(name) ?? new Map<string, Response>();
    all.set(name, held);
    return {
      match: async (path: string) => held.get(path)?.clone(),
      put: async (path: string, answer: Response) => void held.set(path, answer.clone()),
      keys: async () => [...held.keys()].map((path) => ({ url: path })),
    } as unknown as Cache;
  }
  return {
    open: async (name: string) => open(name),
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
  } as unknown as CacheStorage;
}

function buildOf(letter: string, shared = ["/static/assets/same-1.js"]): PageBuild {
  const entry = `/static/assets/index-${letter}.js`;
  return {
    id: letter,
    entry,
    assets: [entry, `/static/assets/part-${letter}.js`, ...shared],
    files: ["/static/first-paint.js"],
  };
}

type Server = Record<string, string | Response>;

/** A server that has these builds' files; its page is of the last. */
function serverOf(...builds: PageBuild[]): Server {
  const assets = builds.flatMap(({ assets }) => assets);
  return {
    "/": `<script src="${builds.at(-1)?.entry ?? ""}"></script>`,
    "/static/first-paint.js": `first ${builds.at(-1)?.id ?? ""}`,
    ...Object.fromEntries(assets.map((path) => [path, `// ${path}`])),
  };
}

function host(caches: CacheStorage, server: Server) {
  const asked: string[] = [];
  return {
    asked,
    caches,
    fetch: async (path: string) => {
      asked.push(path);
      const answer = server[path] ?? new Response("Not found", { status: 404 });
      if (answer instanceof Response) return answer.clone();
      return new Response(answer, {
        headers: { "content-type": path === "/" ? "text/html" : "text/javascript" },
      });
    },
  };
}

async function held(caches: CacheStorage): Promise<Record<string, string[]>> {
  const names = await caches.keys();
  const paths = await Promise.all(
    names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url).toSorted()),
  );
  return Object.fromEntries(names.map((name, index) => [name, paths[index] ?? []]));
}

const [a, b] = [buildOf("a"), buildOf("b")];

test("a build keeps the page and its files, and nothing else", async () => {
  const caches = fakeCaches();
  const builds = createBuildCaches(a, host(caches, serverOf(a)));
  await builds.install();
  expect(await held(caches)).toEqual({
    [`${CACHE_PREFIX}a`]: ["/", ...a.assets, ...a.files].toSorted(),
  });
  expect(await (await builds.page())?.text()).toContain(a.entry);
});

test("no build is kept with the page of another one", async () => {
  const caches = fakeCaches();
  await expect(createBuildCaches(a, host(caches, serverOf(a, b))).install()).rejects.toThrow("another build");
  expect(await createBuildCaches(a, host(caches, {})).page()).toBeUndefined();
});

test.each([
  ["is gone", new Response("Not found", { status: 404 })],
  [
    "is a proxy's page",
    new Response("<p>Sign in</p>", { headers: { "content-type": "text/html; charset=utf-8" } }),
  ],
])("no build is kept without a file that %s; the next try goes on from there", async (_how, answer) => {
  const caches = fakeCaches();
  const broken = { ...serverOf(a), "/static/assets/part-a.js": answer };
  await expect(createBuildCaches(a, host(caches, broken)).install()).rejects.toThrow("part-a");
  const again = host(caches, serverOf(a));
  await createBuildCaches(a, again).install();
  expect(again.asked).toEqual(["/", "/static/first-paint.js", "/static/assets/part-a.js"]);
});

test("a build fetches what is new in it, and has the rest from the one before", async () => {
  const caches = fakeCaches();
  await createBuildCaches(a, host(caches, serverOf(a))).install();
  const second = host(caches, serverOf(b));
  await createBuildCaches(b, second).install();
  expect(second.asked.toSorted()).toEqual(
    ["/", "/static/first-paint.js", "/static/assets/index-b.js", "/static/assets/part-b.js"].toSorted(),
  );
});

test("after an update each page has the files of its own build, while a page of the older one is open", async () => {
  const caches = fakeCaches();
  await createBuildCaches(a, host(caches, serverOf(a))).install();
  const now = createBuildCaches(b, host(caches, serverOf(b)));
  await now.install();
  await now.dropUnused([a.entry, b.entry]);
  expect(await (await now.asset("/static/assets/part-a.js"))?.text()).toContain("part-a");
  expect(await (await now.asset("/static/assets/part-b.js"))?.text()).toContain("part-b");
  expect(await (await now.page())?.text()).toContain(b.entry);
  expect(await (await now.file("/static/first-paint.js"))?.text()).toBe("first b");

  // A page that does not say what it is of may need any.
  await now.dropUnused([b.entry, null]);
  expect(Object.keys(await held(caches))).toHaveLength(2);
  await now.dropUnused([b.entry]);
  expect(Object.keys(await held(caches))).toEqual([`${CACHE_PREFIX}b`]);
  expect(await now.asset("/static/assets/part-a.js")).toBeUndefined();
});

test("caches of others on the same origin are left alone", async () => {
  const caches = fakeCaches();
  await (await caches.open("theirs")).put("/x", new Response("x"));
  const builds = createBuildCaches(a, host(caches, serverOf(a)));
  await builds.install();
  await builds.dropUnused([]);
  expect(Object.keys(await held(caches))).toContain("theirs");
  expect(await builds.asset("/x")).toBeUndefined();
});

test("an asset that is asked for later is kept, and what is no file is not", async () => {
  const caches = fakeCaches();
  const builds = createBuildCaches(a, host(caches, serverOf(a)));
  await builds.keepAsset(
    "/static/assets/f.woff2",
    new Response("font", { headers: { "content-type": "font/woff2" } }),
  );
  await builds.keepAsset("/static/assets/g.js", new Response("no", { status: 404 }));
  await builds.keepAsset(
    "/static/assets/h.js",
    new Response("<p>", { headers: { "content-type": "text/html" } }),
  );
  expect(await held(caches)).toEqual({ [`${CACHE_PREFIX}a`]: ["/static/assets/f.woff2"] });
});
