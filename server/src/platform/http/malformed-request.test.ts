// Requests that two servers may read differently, over real connections.
import { defineCall } from "@plumb/protocol/wire/call";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { openRaw } from "../../../test/raw-http.ts";
import { createMetrics } from "../metrics.ts";
import { GlobalRefusal } from "../refusal.ts";
import { createHttpServer } from "./http-server.ts";
import { route } from "./route.ts";

const pass = async () => {};
let server: FastifyInstance;
let seen: { ip: string; host: string; protocol: string } | null;

async function start(trustedProxies: string[] = [], publicUrl: string | null = null): Promise<void> {
  seen = null;
  const call = defineCall<string>()({
    method: "GET",
    path: "/api/v0/ip",
    auth: "none",
    request: z.object({}),
  });
  server = await createHttpServer(
    {
      edition: "international",
      publicUrl,
      trustedProxies,
      log: pino({ level: "silent" }),
      metrics: createMetrics(),
      gates: {
        checkIpRate: pass,
        checkClearance: () => {},
        authenticate: async () => new GlobalRefusal(Global.InvalidToken),
        checkAccountStatus: pass,
        checkBeforeBody: () => {},
        checkUserRate: pass,
        checkProof: pass,
      },
      routes: [route(call, { rate: "none", accountStatus: "any" }, async ({ ip }) => ip)],
    },
    async () => async (request, reply) => {
      seen = { ip: request.ip, host: request.host, protocol: request.protocol };
      return reply.code(200).send("a page");
    },
  );
  await server.listen({ port: 0, host: "127.0.0.1" });
}
afterEach(() => server.close());

/** Sends lines as they are and returns all that comes back. */
async function say(...lines: string[]): Promise<string> {
  const connection = await openRaw(server.listeningOrigin);
  connection.send([...lines, "connection: close", "", ""].join("\r\n"));
  return connection.ended;
}

describe("refused, whatever is asked", () => {
  test.each([
    ["two Host headers", ["HTTP/1.1", "host: a.example", "host: b.example"], "header.host"],
    ["two equal Host headers", ["HTTP/1.1", "host: a", "HOST: a"], "header.host"],
    ["HTTP/2.0 on the request line", ["HTTP/2.0", "host: a"], "header"],
  ])("%s", async (_name, [version = "", ...headers], loc) => {
    await start();
    const call = await say(`GET /api/v0/ip ${version}`, ...headers);
    expect(call).toMatch(/^HTTP\/1\.1 422 /u);
    expect(call).toContain(`"code":42200`);
    expect(call).toContain(`"loc":"${loc}"`);
    expect(await say(`GET /page ${version}`, ...headers)).toMatch(/^HTTP\/1\.1 400 .*Bad request\n$/su);
    expect(seen).toBeNull();
  });

  test("no Host header in HTTP/1.1", async () => {
    await start();
    expect(await say("GET /api/v0/ip HTTP/1.1")).toMatch(/^HTTP\/1\.1 400 /u);
  });
});

describe("a trusted proxy", () => {
  test.each([
    ["an address that is none", "x-forwarded-for: <b>me</b>", "header.x-forwarded-for"],
    ["an unknown protocol", "x-forwarded-proto: javascript", "header.x-forwarded-proto"],
    ["a protocol with a policy in it", "x-forwarded-proto: https; script-src *", "header.x-forwarded-proto"],
    ["a host that is none", "x-forwarded-host: a.example; script-src *", "header.x-forwarded-host"],
  ])("that says %s is refused, and from others the header means nothing", async (_name, header, loc) => {
    await start(["127.0.0.1"]);
    const call = await say("GET /api/v0/ip HTTP/1.1", "host: a", header);
    expect(call).toMatch(/^HTTP\/1\.1 422 /u);
    expect(call).toContain(`"loc":"${loc}"`);
    expect(await say("GET /page HTTP/1.1", "host: a", header)).toMatch(/^HTTP\/1\.1 400 /u);
    expect(seen).toBeNull();

    await server.close();
    await start(["10.0.0.0/8"]);
    expect(await say("GET /page HTTP/1.1", "host: a", header)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(seen).toEqual({ ip: "127.0.0.1", host: "a", protocol: "http" });
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["nonsense that the caller sent, 192.0.2.1", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
  ])("is believed when it says %s", async (header, ip) => {
    await start(["127.0.0.1"]);
    const heard = await say(
      "GET /api/v0/ip HTTP/1.1",
      "host: a",
      `x-forwarded-for: ${header}`,
      "x-forwarded-proto: https",
      "x-forwarded-host: chat.example:8443",
    );
    expect(heard).toContain(`"biz_data":"${ip}"`);
  });
});

describe("methods", () => {
  test.each(["PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "PURGE"])(
    "%s is not allowed on calls, nor on pages",
    async (method) => {
      await start();
      const call = await say(`${method} /api/v0/ip HTTP/1.1`, "host: a");
      expect(call).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET\r\n/su);
      expect(call).toContain(`"code":40500`);
      const page = await say(`${method} /page HTTP/1.1`, "host: a");
      expect(page).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD\r\n/su);
    },
  );

  test("nobody's method is not allowed either", async () => {
    await start();
    expect(await say("BREW /api/v0/ip HTTP/1.1", "host: a")).toMatch(/^HTTP\/1\.1 405 .*allow: /su);
  });
});

describe("security headers", () => {
  const headersOf = async (url: string) => (await server.inject({ method: "GET", url })).headers;

  test("every response says what it may be used for", async () => {
    await start();
    for (const url of ["/api/v0/ip", "/api/v0/nothing", "/page", "/%zz"]) {
      const headers = await headersOf(url);
      expect([url, headers["cross-origin-resource-policy"]]).toEqual([url, "same-origin"]);
      expect(headers["strict-transport-security"]).toBeUndefined();
    }
  });

  test("where people come by https they stay with https", async () => {
    await start([], "https://chat.example");
    for (const url of ["/api/v0/ip", "/api/v0/nothing", "/page", "/%zz"]) {
      expect((await headersOf(url))["strict-transport-security"]).toBe("max-age=31536000");
    }
    await server.close();
    await start([], "http://chat.example");
    expect((await headersOf("/page"))["strict-transport-security"]).toBeUndefined();
  });
});
