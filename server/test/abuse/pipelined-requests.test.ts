// Requests one after another on connections that read no answer.
import { clientSettings } from "@plumb/protocol/wire/site";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import { heldBytes } from "../held-bytes.ts";
import { openRaw } from "../raw-http.ts";

const MIB = 1024 * 1024;
const long = process.env["TEST_LONG"] === "1";
const CONNECTIONS = long ? 30 : 5;
/** Requests sent one after another without reading: far more than the system's buffers take the answers of. */
const PIPELINED = long ? 20_000 : 5000;

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ httpLimits: { unreadMs: 500 } });
});
afterEach(() => app.close());

test("a connection that asks and asks and reads nothing is cut, and costs little until then", async () => {
  const before = heldBytes();
  const ask = Buffer.from(`GET ${clientSettings.path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(PIPELINED));
  const all = [];
  for (let count = 0; count < CONNECTIONS; count++) {
    const connection = await openRaw(app.address, "127.0.0.2");
    connection.socket.pause();
    connection.send(ask);
    all.push(connection);
  }
  const open = async () =>
    new Promise<number>((resolve, reject) =>
      app.app.fastify.server.getConnections((error, count) =>
        error === null ? resolve(count) : reject(error),
      ),
    );
  await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 60_000, interval: 200 });
  expect(heldBytes() - before).toBeLessThan(64 * MIB);
  expect((await app.client().call(clientSettings, {})).envelope.code).toBe(0);
  for (const { socket } of all) socket.destroy();
});
