import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerClientError } from "./client-error.ts";

let server: Server;
let client: Socket;
let accepted: Socket;

beforeEach(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const coming = new Promise<Socket>((resolve) => server.once("connection", resolve));
  client = connect(address.port, "127.0.0.1");
  client.on("error", () => {});
  client.pause();
  accepted = await coming;
  accepted.on("error", () => {});
});
afterEach(async () => {
  client.destroy();
  accepted.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test("a connection whose answer nobody takes is ended once, however often its time is up", async () => {
  const heard = new Promise<void>((resolve) => accepted.once("data", () => resolve()));
  client.write("G");
  await heard;
  // Far more than the system's buffers take.
  accepted.write(Buffer.alloc(64 * 1024 * 1024));
  const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  answerClientError(late, accepted);
  const waiting = accepted.listenerCount("finish");
  // Node reports it every second until the connection has closed.
  for (let second = 0; second < 20; second++) answerClientError(late, accepted);
  expect(accepted.listenerCount("finish")).toBe(waiting);
});
