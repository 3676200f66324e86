// docs/wire-contract.md is held against what is mounted: neither may know a call that the other does not.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonBody } from "../src/platform/http/body-limits.ts";
import { mountedRoutes } from "./all-calls.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import { contractBlocks, type ContractCall, contractIndex, contractText } from "./wire-contract.ts";

/** What is served but is no call: pages and their files (§6.7), as the router names them. */
const isPage = (path: string) =>
  ["/", "*", "/*", "/favicon.ico", "/manifest.webmanifest", "/sw.js", "/share-target"].includes(path) ||
  path.startsWith("/static/");

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const sorted = (names: readonly string[]) => [...names].sort();
const byName = (calls: readonly ContractCall[]) =>
  Object.fromEntries(calls.map((call) => [nameOf(call), call]));

describe("the wire contract", () => {
  let app: TestApp;
  const index = contractIndex();
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  it("names each call once in its index, and no other than its blocks do", () => {
    expect(index.length).toBeGreaterThan(70);
    expect(sorted(index.map(nameOf))).toEqual(sorted([...new Set(index.map(nameOf))]));
    expect(byName(index)).toEqual(byName(contractBlocks()));
  });

  it("has every route that is mounted, and no other", () => {
    const mounted = mountedRoutes(app.app.fastify);
    const calls = mounted.filter(({ path }) => !isPage(path)).map(nameOf);
    expect(calls.length).toBeGreaterThan(20);
    expect(sorted(calls)).toEqual(sorted(index.map(nameOf)));
  });

  it("says of each route who may call it, at what proof and in which rate class", () => {
    const served = app.app.routes.map(({ call, policy }) => [
      nameOf(call),
      { auth: call.auth, proof: call.proof, rate: policy.rate },
    ]);
    const written = byName(index);
    const said = served.map(([name]) => {
      const { auth, proof, rate } = written[name as string] ?? {};
      return [name, { auth, proof, rate }];
    });
    expect(said).toEqual(served);
  });

  it("says how large a body each route takes", () => {
    const said = /JSON (\d+) KiB, calls with a prompt (\d+) MiB/.exec(contractText());
    const upload = /upload (\d+) MiB file part \+ (\d+) MiB/.exec(contractText());
    const [json, prompt] = [Number(said?.[1]) * 1024, Number(said?.[2]) * 1024 * 1024];
    const withPrompt = ["POST /api/v0/chat/completion", "POST /api/v0/chat/edit_message"];
    for (const route of app.app.routes) {
      const name = nameOf(route.call);
      const streamed = route.policy.body !== undefined && "streamed" in route.policy.body;
      const wanted = streamed ? (Number(upload?.[1]) + Number(upload?.[2])) * 1024 * 1024 : json;
      expect((route.policy.body ?? jsonBody).bytes, name).toBe(withPrompt.includes(name) ? prompt : wanted);
    }
  });
});
