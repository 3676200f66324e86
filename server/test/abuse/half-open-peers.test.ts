// Peers that are gone without a word: nothing tells us, and nothing they leave open stays.
import { resumeStream } from "@plumb/protocol/wire/replies";
import { clientIpInfo } from "@plumb/protocol/wire/site";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterEach, expect, it, vi } from "vitest";
import { type ScriptedUpstream, startScriptedUpstream } from "../../../e2e/support/scripted-upstream.ts";
import { OpenAiCompatibleModel } from "../../src/adapters/model-provider/openai-compatible-model.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "../create-test-app.ts";
import { openRaw, postHead, type RawConnection } from "../raw-http.ts";
import { openSilentProxy, type SilentProxy } from "../silent-proxy.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function open(options: TestAppOptions): Promise<TestApp> {
  const app = await createTestApp(options);
  closing.push(() => app.close());
  return app;
}

async function behindProxy(target: string): Promise<SilentProxy> {
  const proxy = await openSilentProxy(target);
  closing.push(() => proxy.close());
  return proxy;
}

/** Connections that the server has open. */
const connections = (app: TestApp): Promise<number> =>
  new Promise((resolve, reject) =>
    app.app.fastify.server.getConnections((error, count) =>
      error === null ? resolve(count) : reject(error),
    ),
  );

it("a reader that is gone in mid-reply keeps its connection no longer than the reply, one that asks nothing a while", async () => {
  const app = await open({ httpLimits: { betweenRequestsMs: 50 } });
  const person = await app.signedIn();
  const session = await person.ok(createSession, {});
  const next = app.model.next();
  const healthy = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" });
  const run = await next;
  run.say("one ");
  await healthy.waitForType("delta");

  const proxy = await behindProxy(app.address);
  const message = JSON.stringify({ chat_session_id: session.id, message_id: 2 });
  const gone: RawConnection[] = [];
  for (let count = 0; count < 5; count += 1) {
    const reader = await openRaw(proxy.url);
    const authorization = `authorization: Bearer ${person.token}`;
    reader.send(postHead(resumeStream.path, Buffer.byteLength(message), authorization) + message);
    const idle = await openRaw(proxy.url);
    idle.send(`GET ${clientIpInfo.path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    gone.push(reader, idle);
  }
  await vi.waitFor(() => expect(gone.every(({ heard }) => heard.includes("\r\n\r\n"))).toBe(true));
  proxy.silence();

  run.say("two ");
  run.end();
  const events = await healthy.ended;
  expect(events.at(-1)?.type).toBe("close");
  await vi.waitFor(async () => expect(await connections(app)).toBe(0), { timeout: 20_000, interval: 100 });
}, 40_000);

it("a model that is gone in mid-reply ends it in time, and the next reply has a connection of its own", async () => {
  const upstream: ScriptedUpstream = await startScriptedUpstream({
    scripts: [
      { match: { kind: "title" }, answer: "A title" },
      { answer: "Here again." },
      { match: { user: "stall" }, tokens: 50, fault: { kind: "stall", at: 100 } },
    ],
  });
  closing.push(() => upstream.close());
  const proxy = await behindProxy(upstream.url);
  const provider = new OpenAiCompatibleModel({
    baseUrl: proxy.url,
    model: { ...readConfig({}).model, name: "scripted-model", stallMs: 400 },
    log: createLogger("silent"),
    firstTokenMs: 400,
  });
  const app = await open({ provider });
  closing.push(() => provider.close());
  const person = await app.signedIn();
  const session = await person.ok(createSession, {});

  const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "stall" });
  await stream.waitForType("delta");
  proxy.silence();
  const events = await stream.ended;
  expect(events.flatMap((event) => (event.type === "hint" ? [event.data.finish_reason] : []))).toEqual([
    "timeout",
  ]);
  expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "retry" } });

  // Its connections are dead for ever, new ones are not.
  proxy.forget();
  const again = await person.stream(completion, {
    chat_session_id: session.id,
    parent_message_id: 2,
    prompt: "Again",
  });
  await again.ended;
  const { chat_messages } = await person.ok(historyMessages, { chat_session_id: session.id });
  expect(chat_messages.map(({ status }) => status)).toEqual(["FINISHED", "TIMEOUT", "FINISHED", "FINISHED"]);
}, 40_000);
