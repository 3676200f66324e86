// Guard, accounts and site behind the real checks, without the chat: for the tests of these three.
import { createHash } from "node:crypto";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import { encodeGuestPowResponse } from "@plumb/protocol/wire/headers";
import { pino } from "pino";
import { type Config, readConfig } from "../src/config.ts";
import { EventBus } from "../src/events.ts";
import { accountsFeature } from "../src/features/accounts/accounts-feature.ts";
import { guardFeature } from "../src/features/guard/guard-feature.ts";
import { siteFeature } from "../src/features/site/site-feature.ts";
import type { Database } from "../src/platform/database/database.ts";
import type { Deps } from "../src/platform/deps.ts";
import { createHttpServer } from "../src/platform/http/http-server.ts";
import { createMetrics } from "../src/platform/metrics.ts";
import type { CodeMail } from "../src/ports/mailer.ts";
import type { ModelProvider } from "../src/ports/model-provider.ts";
import { type Engine, openTestDatabase } from "./test-databases.ts";

export interface Answered {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  body: {
    code: number;
    msg: string;
    data:
      | ({ biz_code: number; biz_msg: string; biz_data: Record<string, unknown> | null } & Record<
          string,
          unknown
        >)
      | null;
    detail?: unknown;
  };
}

export interface CallOptions {
  token?: string;
  headers?: Record<string, string>;
  ip?: string;
}

/** `biz_data` of an executed call; fails the test when there is none. */
export function bizData<T = Record<string, unknown>>({ body }: Answered): T {
  const data = body.data?.biz_data ?? null;
  if (data === null) throw new Error(`no biz_data: ${JSON.stringify(body)}`);
  return data as T;
}

export type FrontDoor = Awaited<ReturnType<typeof openFrontDoor>>;

/** A wall clock that the test sets, beginning at 2027-01-15T08:00:00Z. Monotonic time goes with it. */
export async function openFrontDoor(engine: Engine, changes: Partial<Config> = {}) {
  const opened = await openTestDatabase(engine);
  const time = { nowMs: 1_800_000_000_000 };
  const mails: CodeMail[] = [];
  const mailer = { fails: false };
  const model: ModelProvider = {
    generate: () => {
      throw new Error("no reply is written here");
    },
    info: () => ({
      name: "Test model",
      kind: "endpoint",
      contextTokens: 8192,
      thinking: true,
      continuation: "prefix",
    }),
    health: async () => "ok",
    close: async () => {},
  };
  const base = readConfig({ DATA_DIR: opened.dataDir });
  const config: Config = { ...base, powDifficulty: { chat: 20, upload: 20, guest: 20 }, ...changes };
  const log = pino({ level: "silent" });

  function makeProcess(db: Database) {
    const deps: Deps = {
      config,
      db,
      log,
      events: new EventBus(),
      metrics: createMetrics(),
      secretKey: "a server key",
      ports: {
        clock: { now: () => time.nowMs, monotonic: () => time.nowMs, after: () => () => {} },
        model,
        mailer: {
          kind: "outbox",
          async sendCode(mail) {
            if (mailer.fails) throw new Error("mail server away");
            mails.push(mail);
          },
        },
      },
    };
    const guard = guardFeature(deps);
    const accounts = accountsFeature(deps);
    return { deps, guard, accounts, features: [guard, accounts, siteFeature(deps)] };
  }

  const { deps, guard, accounts, features } = makeProcess(opened.db);
  const server = await createHttpServer(
    {
      edition: config.edition,
      publicUrl: config.publicUrl,
      trustedProxies: config.trustedProxies,
      routes: features.flatMap((feature) => feature.routes),
      gates: {
        ...guard,
        ...accounts,
        authenticate: (token, ip) => guard.lookUpToken(token, ip, () => accounts.authenticate(token)),
      },
      log,
      metrics: deps.metrics,
    },
    async () => async (_request, reply) => reply.code(404).send(""),
  );
  for (const feature of features) await feature.start?.();

  async function send(
    method: "GET" | "POST",
    url: string,
    body: unknown,
    options: CallOptions,
  ): Promise<Answered> {
    const response = await server.inject({
      method,
      url,
      remoteAddress: options.ip ?? "192.0.2.1",
      headers: {
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: (isJson ? JSON.parse(response.body) : {}) as Answered["body"],
    };
  }
  const get = (url: string, options: CallOptions = {}) => send("GET", url, undefined, options);
  const post = (url: string, body?: unknown, options: CallOptions = {}) => send("POST", url, body, options);

  /** The header that a solved guest challenge for `path` gives. */
  async function guestProof(path: string, ip?: string): Promise<Record<string, string>> {
    const asked = await post(
      "/api/v0/users/create_guest_challenge",
      { target_path: path },
      ip === undefined ? {} : { ip },
    );
    const { guest_challenge: challenge } = bizData<{ guest_challenge: Challenge }>(asked);
    const answer = solve(challenge, (text) => createHash("sha256").update(text).digest("hex"));
    return {
      "x-ds-guest-pow-response": encodeGuestPowResponse({ salt: challenge.salt, answer: answer ?? -1 }),
    };
  }
  async function askCode(body: Record<string, unknown>, options: CallOptions = {}): Promise<Answered> {
    const path = "/api/v0/users/create_email_verification_code";
    return post(path, body, { ...options, headers: { ...(await guestProof(path)), ...options.headers } });
  }
  async function register(
    payload: Record<string, unknown>,
    rest: Record<string, unknown> = {},
  ): Promise<Answered> {
    const path = "/api/v0/users/register";
    return post(path, { payload, os: "web", ...rest }, { headers: await guestProof(path) });
  }
  /** Signs up and returns the token. */
  async function signUp(email: string, password = "correct horse"): Promise<string> {
    await askCode({ email, scenario: "register" });
    const code = mails.findLast((mail) => mail.to === email.toLowerCase())?.code ?? "";
    const answered = await register({ email, email_verification_code: code, password });
    return bizData<{ user: { token: string } }>(answered).user.token;
  }

  return {
    opened,
    deps,
    guard,
    server,
    time,
    mails,
    mailer,
    get,
    post,
    guestProof,
    askCode,
    register,
    signUp,
    async close() {
      for (const feature of features.toReversed()) await feature.stop?.();
      await server.close();
      await opened.close();
    },
  };
}
