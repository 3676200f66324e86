// Answers from outside that never end: of pages that anybody can name, and of services that the operator has named. Each is cut
// while it comes, and nothing of it is kept.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTurnstile } from "../../src/adapters/captcha-verifier/captcha-services.ts";
import { ModerationEndpoint } from "../../src/adapters/content-filter/moderation-endpoint.ts";
import { createOpenIdConnect } from "../../src/adapters/identity-provider/openid-connect.ts";
import { createWechatLogin } from "../../src/adapters/identity-provider/wechat.ts";
import { OpenAiCompatibleModel } from "../../src/adapters/model-provider/openai-compatible-model.ts";
import { createSearxngSearch } from "../../src/adapters/search-provider/searxng-search.ts";
import { WebhookSmsSender } from "../../src/adapters/sms-sender/webhook-sms-sender.ts";
import { readConfig } from "../../src/config.ts";
import { readPage } from "../../src/features/search/read-page.ts";
import { SiteIcons } from "../../src/features/search/site-icons.ts";
import { createGuardedFetch } from "../../src/platform/http/guarded-fetch.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { heldMemory } from "../held-bytes.ts";
import { openStandInNetwork, PUBLIC_V4, type StandInNetwork } from "../stand-in-network.ts";

const MIB = 1024 * 1024;
/** The most that any of them reads, with what sockets hold on the way. */
const MOST_SENT = 12 * MIB;
/** Here the sender gives up: it would have gone on for ever. */
const ENDLESS = 64 * MIB;

const log = createLogger("silent");
const never = new AbortController().signal;

let serve: RequestListener;
let network: StandInNetwork;
let address: string;
/** The most that was sent over one connection. */
let sent: number;
let open: number;
const answer: RequestListener = (request, response) => {
  open += 1;
  response.on("error", () => {});
  response.on("close", () => (open -= 1));
  serve(request, response);
};
const service = createServer(answer);
beforeAll(async () => {
  network = await openStandInNetwork(answer);
  network.names.set("site.com", [[PUBLIC_V4]]);
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await network.close();
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});
beforeEach(() => {
  sent = 0;
  open = 0;
});

/** A text of JSON that goes on for ever. */
const endless =
  (type: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { "content-type": type });
    response.write(type === "text/event-stream" ? 'data: {"a":"' : '{"a":"');
    const piece = Buffer.alloc(64 * 1024, "a");
    let mine = 0;
    const more = (): void => {
      while (!response.destroyed && mine < ENDLESS) {
        mine += piece.length;
        sent = Math.max(sent, mine);
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  };

const openId = () =>
  createOpenIdConnect({
    issuer: address,
    clientId: "id",
    clientSecret: "secret",
    clock: systemClock,
    log,
  }).authorizationUrl({ state: "s", nonce: "n", codeVerifier: "v" }, "http://localhost/back");
const outside = () => createGuardedFetch(network);
const thread = {
  read: async ({ bytes }: { bytes: Uint8Array }) => ({ text: `${bytes.length} bytes`, publishedAt: null }),
};

/** What each makes of an answer without end. */
const readers: [who: string, type: string, ask: () => Promise<unknown>, outcome: unknown][] = [
  [
    "a page that was found",
    "text/html",
    () => readPage({ fetchOutside: outside(), thread }, "http://site.com/", never),
    { text: `${MIB} bytes`, publishedAt: null },
  ],
  [
    "the mark of a site",
    "image/png",
    () => new SiteIcons(outside()).find("http://site.com/", null, never),
    null,
  ],
  [
    "a captcha's service",
    "application/json",
    () =>
      createTurnstile({ secret: "s", url: address, log }).passes(
        { turnstile_token: "t", hcaptcha_token: null, shumei_verification: null },
        "192.0.2.1",
      ),
    false,
  ],
  ["an OpenID provider", "application/json", openId, "refused"],
  [
    "WeChat",
    "application/json",
    () =>
      createWechatLogin({ appId: "a", appSecret: "s", baseUrl: address, loginUrl: address }).exchange("code"),
    "refused",
  ],
  [
    "a search provider",
    "application/json",
    () => createSearxngSearch({ baseUrl: address, apiKey: null }).search("words", 5, never),
    "refused",
  ],
  [
    "a moderation endpoint",
    "application/json",
    () =>
      new ModerationEndpoint({
        url: address,
        apiKey: null,
        model: null,
        timeoutMs: 5000,
        log,
        clock: systemClock,
      }).ask("words", never),
    "unknown",
  ],
  [
    "a gateway for text messages",
    "application/json",
    () =>
      new WebhookSmsSender({ url: address, secret: "secret", brandName: "P", clock: systemClock }).sendCode({
        to: "+8613800000000",
        code: "123456",
        scenario: "login",
        locale: "en_US",
      } as Parameters<WebhookSmsSender["sendCode"]>[0]),
    "any",
  ],
  ["a model", "text/event-stream", askModel, "refused"],
];

/** Its list of models, and a reply. */
async function askModel(): Promise<void> {
  const { model } = readConfig({ MODEL_NAME: "m" });
  const provider = new OpenAiCompatibleModel({ baseUrl: address, model, log });
  try {
    const request = {
      messages: [{ role: "user" as const, content: "Hello" }],
      purpose: "chat" as const,
      thinking: false,
    };
    for await (const _chunks of provider.generate(request, never));
  } finally {
    await provider.close();
  }
}

/** What is held once the destruction of sockets and unpackers, which takes turns of the event loop, is over. */
async function settledMemory(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 10; count += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    least = Math.min(least, heldMemory());
  }
  return least;
}

const settled = (work: Promise<unknown>) => work.catch(() => "refused");

it.each(readers)(
  "%s that sends without end is cut, and its connection closed",
  async (_who, type, ask, outcome) => {
    serve = endless(type);
    const came = await settled(ask());
    if (outcome !== "any") expect(came).toEqual(outcome);
    await expect.poll(() => open).toBe(0);
    expect(sent).toBeLessThan(MOST_SENT);
  },
);

it("an OpenID provider whose answer unpacks to very much is refused", async () => {
  const packed = gzipSync(Buffer.alloc(128 * MIB, " "));
  serve = (_request, response) =>
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed);
  const before = heldMemory();
  expect(await settled(openId())).toBe("refused");
  expect(heldMemory() - before).toBeLessThan(16 * MIB);
});

it("slow bodies, round after round, leave nothing behind", async () => {
  const words = randomBytes(384 * 1024).toString("base64");
  const packings = {
    identity: Buffer.from(words),
    gzip: gzipSync(words),
    deflate: deflateSync(words),
  };
  serve = (request, response) => {
    const [, encoding] = (request.url ?? "").split("/") as [string, keyof typeof packings];
    const bytes = packings[encoding];
    response.writeHead(200, { "content-type": "text/html", "content-encoding": encoding });
    // The rest never comes.
    response.write(bytes.subarray(0, bytes.length - 100));
  };
  const fetchOutside = outside();
  const round = async (): Promise<void> => {
    const limits = { bytes: MIB, longer: "cut", ms: 300, accept: "text/html" } as const;
    const bodies = Object.keys(packings).flatMap((encoding) => Array<string>(5).fill(encoding));
    const ends = await Promise.all(
      bodies.map((encoding) => settled(fetchOutside(`http://site.com/${encoding}`, limits, never))),
    );
    expect(ends).toEqual(bodies.map(() => "refused"));
    await expect.poll(() => open).toBe(0);
  };
  for (let count = 1; count <= 7; count += 1) await round();
  const before = await settledMemory();
  for (let count = 8; count <= 10; count += 1) await round();
  const after = await settledMemory();
  expect(after / before).toBeLessThan(1.05);
});
