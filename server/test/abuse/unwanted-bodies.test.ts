// Bodies of requests that are refused by their path, method, length or token: nobody reads them.
import { createSession } from "@plumb/protocol/wire/sessions";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import { heldBytes } from "../held-bytes.ts";
import { openRaw, postHead, type RawConnection } from "../raw-http.ts";

const MIB = 1024 * 1024;
const REQUESTS = process.env["TEST_LONG"] === "1" ? 2000 : 100;
const SLACK = 12 * MIB;

let app: TestApp;
beforeEach(async () => {
  // The connections stay, so that what they hold can be seen.
  app = await createTestApp({ httpLimits: { lingerMs: 60_000 } });
});
afterEach(() => app.close());

test.each([
  ["an unknown call", "/api/v0/nothing", 404],
  ["a wrong method", "/api/v0/client/ip_info", 405],
  ["a page", "/a/page", 405],
  ["a length over the limit", "/api/v0/client/span", 413],
  ["a call without its token", createSession.path, 200],
])("a flood of bodies to %s is answered without one", async (_name, path, status) => {
  const before = heldBytes();
  const length = status === 200 ? 60 * 1024 : MIB;
  const sent = Buffer.from(postHead(path, length) + "x".repeat(50 * 1024));
  const connections: RawConnection[] = [];
  for (let index = 0; index < REQUESTS; index++) {
    // Of one address no more than it may keep unfinished.
    const connection = await openRaw(app.address, `127.0.1.${1 + Math.floor(index / 100)}`);
    connection.send(sent);
    connections.push(connection);
  }
  await vi.waitFor(
    () => {
      const heard = connections.filter((one) => one.heard.startsWith(`HTTP/1.1 ${status} `));
      expect(heard).toHaveLength(REQUESTS);
    },
    { timeout: 30_000 },
  );
  await vi.waitFor(() => expect(heldBytes() - before).toBeLessThan(SLACK), { timeout: 10_000 });
  expect(connections.filter(({ closed }) => closed)).toEqual([]);
  for (const { socket } of connections) socket.destroy();
});
