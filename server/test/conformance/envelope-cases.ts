// The form of every answer: status, headers, envelope, and what is no call at all (wire-contract.md §1.1, §1.3–§1.5).
import { LIMITS } from "@plumb/protocol/limits";
import { uploadFile } from "@plumb/protocol/wire/files";
import { beginImport } from "@plumb/protocol/wire/imports";
import { expect, it } from "vitest";
import { expectDesigned, expectEnvelope } from "../expect-envelope.ts";
import { exchange } from "./http-exchange.ts";
import { everyCall } from "./request-fields.ts";
import type { World } from "./world.ts";

const bearerCalls = everyCall.filter(({ auth }) => auth === "bearer");
const postCalls = everyCall.filter(({ method }) => method === "POST");
/** They answer HEAD as GET, without a body. */
const downloads = ["/api/v0/export/file", "/api/v0/file/raw"];
const paths = [...new Set(everyCall.map(({ path }) => path))];

/** Bytes of a body (wire-contract.md §1.1). */
function limitOf(path: string): number {
  // A file of the most bytes, and the form around it.
  if (path === uploadFile.path || path === beginImport.path) return LIMITS.fileBytes + 1024 * 1024;
  return /completion|edit_message/.test(path) ? 1024 * 1024 : 64 * 1024;
}

export function envelopeCases(world: World): void {
  it.each(everyCall)(
    "$name answers with all headers and a whole envelope",
    async ({ method, path, auth, answers }) => {
      const answered = await world.guest().send(method, path, method === "POST" ? {} : undefined);
      const envelope = expectDesigned({ answers }, answered);
      expect(answered.headers).toMatchObject({
        "referrer-policy": "no-referrer",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(answered.headers["access-control-allow-origin"]).toBeUndefined();
      if (auth === "bearer") {
        expect(envelope).toMatchObject({ code: 40002, msg: "MISSING_TOKEN", data: null });
        expect(answered.header("cache-control")).toBe("no-store");
      } else expect([40002, 40003]).not.toContain(envelope?.code);
    },
  );

  it.each(bearerCalls)("$name refuses a token that is unknown or malformed", async ({ method, path }) => {
    const guest = world.guest();
    const body = method === "POST" ? {} : undefined;
    const ask = async (authorization: string): Promise<number> =>
      expectEnvelope(await guest.send(method, path, body, { authorization })).code;
    expect(await ask(`Bearer ${"A".repeat(64)}`)).toBe(40003);
    expect(await ask("Bearer short")).toBe(40003);
    expect(await ask("Basic abc")).toBe(40002);
    expect(await ask("Bearer ")).toBe(40002);
  });

  it.each(paths)("%s has no other method", async (path) => {
    const own: string[] = everyCall.filter((call) => call.path === path).map(({ method }) => method);
    const methods = downloads.includes(path) ? [...own, "HEAD"] : own;
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
      if (methods.includes(method)) continue;
      const answered = await world.guest().send(method, path);
      expect(expectEnvelope(answered), method).toMatchObject({ code: 40500, data: null });
      expect(answered.header("allow")?.split(", ").toSorted()).toEqual(methods.toSorted());
    }
  });

  it.each(postCalls)("$name refuses a body over its limit by its announced length", async ({ path }) => {
    const announcedBytes = limitOf(path) + 1;
    const answered = await exchange(world.target.origin, { method: "POST", path, announcedBytes });
    expect(expectEnvelope(answered)).toMatchObject({ code: 41300, msg: "BODY_TOO_LARGE", data: null });
  });

  it.each([
    "/api",
    "/api/v0",
    "/api/v0/nothing",
    "/api/v0/users/current/",
    "/api/v0/%00",
    "/api/v1/users/current",
  ])("%s is unknown", async (path) => {
    expect(expectEnvelope(await world.guest().send("GET", path)).code).toBe(40400);
  });

  it("no two answers share a trace id", async () => {
    const guest = world.guest();
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await guest.get("/api/v0/client/ip_info")).envelope.context.logId,
      ),
    );
    expect(new Set(ids).size).toBe(20);
  });

  it("the version is plain text and the banner plain JSON, neither in an envelope", async () => {
    const version = await world.guest().send("GET", "/version.txt");
    expect(version.header("content-type")).toMatch(/^text\/plain/);
    expect(version.text).toMatch(/^\d+\.\d+/);
    expect(version.header("cache-control")).toBe("no-cache");
    const banner = await world.guest().send("GET", "/downloads/status.json");
    expect(JSON.parse(banner.text)).toHaveProperty("items");
    expect(banner.header("cache-control")).toBe("no-cache");
  });

  it("health and readiness answer 200 without a token", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      expect((await world.guest().send("GET", path)).status, path).toBe(200);
    }
  });

  it("client/settings is one document with an ETag, and not sent again to whoever has it", async () => {
    const guest = world.guest();
    const first = await guest.get("/api/v0/client/settings");
    expect(first.header("cache-control")).toBe("no-cache");
    const etag = first.header("etag");
    expect(etag).toMatch(/^(W\/)?".+"$/);
    const again = await guest.send("GET", "/api/v0/client/settings?scope=banner", undefined, {
      "if-none-match": etag,
    });
    expect(again.status).toBe(304);
    expect(Object.keys(first.data).toSorted()).toEqual(
      (
        "ab_tests age_gate agents analytics app_download app_id brand captcha characters cookie_banner deploy_env " +
        "edition flags limits links misc models region search sign_in support thinking"
      ).split(" "),
    );
  });

  it("the offered models stand in client/settings, the default one first", async () => {
    const { data } = await world.guest().get("/api/v0/client/settings");
    const models = data["models"] as { id: string; name: string; thinking: boolean }[];
    expect(models.map(({ id }) => id)).toEqual(["default", "small", "large"]);
    expect(models.map(({ name }) => name).slice(1)).toEqual(["A small one", "A large one"]);
  });

  it("client/span takes any object or array and keeps nothing", async () => {
    for (const body of ["{}", "[]", '[{"event":"x"}]', '{"a":{"b":[1]}}']) {
      expect((await world.guest().post("/api/v0/client/span", body)).envelope.data?.biz_data).toBeNull();
    }
  });
}
