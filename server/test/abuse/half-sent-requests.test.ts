// Requests that never end, without an account: they hold little and stand in nobody's way.
import { login } from "@plumb/protocol/wire/sign-in";
import { clientIpInfo } from "@plumb/protocol/wire/site";
import { afterEach, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import { heldBytes } from "../held-bytes.ts";
import { openRaw, postHead, type RawConnection } from "../raw-http.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const long = process.env["TEST_LONG"] === "1";
/** Default limit of one address, as in .env.example. */
const PER_ADDRESS = 200;
/** Buffers that have nothing to do with the attack. */
const SLACK = 12 * MIB;

let app: TestApp;
let opened: RawConnection[];

afterEach(async () => {
  for (const { socket } of opened) socket.destroy();
  await app.close();
});

async function open(count: number, from: (index: number) => string, text: string): Promise<RawConnection[]> {
  // One buffer for all, so that what the senders hold is not counted.
  const sent = Buffer.from(text);
  const connections = [];
  for (let index = 0; index < count; index++) {
    const connection = await openRaw(app.address, from(index));
    opened.push(connection);
    connection.send(sent);
    connections.push(connection);
  }
  return connections;
}
const refused = (connections: readonly RawConnection[]) =>
  connections.filter(({ heard, closed }) => closed || heard.includes("HTTP/1.1 429")).length;
async function expectOthersServed(): Promise<void> {
  const someone = app.client();
  expect((await someone.call(clientIpInfo, {})).envelope.code).toBe(0);
  const answer = await someone.call(login, { email: "a@b.cd", password: "p".repeat(40 * KIB) });
  expect(answer.envelope.data?.biz_code).toBe(2);
}

test.each([
  ["bodies", `${postHead(login.path, 64 * KIB)}{"email":"${"x".repeat(60 * KIB)}`],
  ["headers", `POST ${login.path} HTTP/1.1\r\nhost: x\r\nx-long: ${"x".repeat(8 * KIB)}`],
])("one address keeps 200 half-sent %s; what is more is refused", async (_name, sent) => {
  opened = [];
  app = await createTestApp({ httpLimits: { lingerMs: 60_000 } });
  const before = heldBytes();
  const count = long ? 2500 : PER_ADDRESS + 30;
  const all = await open(count, () => "127.0.0.2", sent);
  // More in the long run, in which the first have used up their time before the last are sent.
  const most = long ? count : count - PER_ADDRESS;
  await vi.waitFor(() => expect(refused(all)).toBeGreaterThanOrEqual(count - PER_ADDRESS), {
    timeout: 60_000,
  });
  expect(refused(all)).toBeLessThanOrEqual(most);
  await vi.waitFor(() => expect(heldBytes() - before).toBeLessThan(PER_ADDRESS * 64 * KIB + SLACK));
  await expectOthersServed();
});

test("half-sent headers after a whole request do not keep connections beyond the limit of one address", async () => {
  opened = [];
  const limit = 20;
  app = await createTestApp({ settings: { CONNECTIONS_PER_ADDRESS: String(limit) } });
  const whole = `GET ${clientIpInfo.path} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const half = `GET ${clientIpInfo.path} HTTP/1.1\r\nhost: x\r\nx-long: ${"x".repeat(8 * KIB)}`;
  const all: RawConnection[] = [];
  for (let index = 0; index < limit + 10; index++) {
    const [connection] = await open(1, () => "127.0.0.2", whole);
    if (connection === undefined) throw new Error("not opened");
    await vi.waitFor(() => expect(connection.heard).toContain("HTTP/1.1 200"));
    connection.send(half);
    all.push(connection);
  }
  await vi.waitFor(() => expect(all.filter(({ closed }) => closed)).toHaveLength(10));
  // Those that have been without a request for longest.
  expect(all.slice(0, 10).every(({ closed }) => closed)).toBe(true);
  await expectOthersServed();
});

test("from many addresses all bodies together stay within their budget", async () => {
  opened = [];
  // Small here, so that few connections are too many; the long run has the real one.
  const bodyBudgetBytes = long ? 64 * MIB : 4 * MIB;
  app = await createTestApp({ httpLimits: { bodyBudgetBytes, lingerMs: 60_000 } });
  const before = heldBytes();
  const count = long ? 2500 : 150;
  const sent = `${postHead(login.path, 64 * KIB)}{"email":"${"x".repeat(60 * KIB)}`;
  const all = await open(count, (index) => `127.0.1.${1 + (index % 20)}`, sent);
  const fit = Math.floor(bodyBudgetBytes / (60 * KIB));
  await vi.waitFor(() => expect(refused(all)).toBeGreaterThanOrEqual(count - fit), { timeout: 60_000 });
  expect(all.some(({ heard }) => heard.includes(`"code":42905`))).toBe(true);
  await vi.waitFor(() => expect(heldBytes() - before).toBeLessThan(bodyBudgetBytes + SLACK));
  await expectOthersServed();
});
