// The application asked by injected requests, each from an address of its own choice: for limits by address and for what
// only time changes. Everything else asks over a real connection (test-client.ts).
import { createHash } from "node:crypto";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import { encodeGuestPowResponse } from "@plumb/protocol/wire/headers";
import type { Config } from "../src/config.ts";
import { createTestApp, type TestAppOptions } from "./create-test-app.ts";
import { TestClock } from "./test-clock.ts";
import type { Engine } from "./test-databases.ts";

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

/** The application with its rate classes on, at a time that the test sets, asked from any address. */
export async function openFrontDoor(
  engine: Engine,
  changes: Partial<Config> = {},
  options: Pick<TestAppOptions, "captcha" | "google" | "log" | "mailerKind" | "settings"> = {},
) {
  const time = new TestClock();
  const mailer = { fails: false };
  const gateway = { fails: false };
  const app = await createTestApp({
    engine,
    clock: time,
    onMail() {
      if (mailer.fails) throw new Error("mail server away");
    },
    onText() {
      if (gateway.fails) throw new Error("gateway away");
    },
    ...options,
    settings: { RATE_LIMITS: "", MESSAGES_PER_MINUTE: "20", ...options.settings },
    config: { powDifficulty: { chat: 20, upload: 20, guest: 20 }, ...changes },
  });
  const { mails, texts, notices, database: opened } = app;
  const { deps, fastify: server } = app.app;

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
  /** A call that asks for a guest's proof, with one. */
  async function guestPost(path: string, body: unknown, options: CallOptions = {}): Promise<Answered> {
    const proof = await guestProof(path, options.ip);
    return post(path, body, { ...options, headers: { ...proof, ...options.headers } });
  }
  const askCode = (body: Record<string, unknown>, options: CallOptions = {}): Promise<Answered> =>
    guestPost("/api/v0/users/create_email_verification_code", body, options);
  const askText = (body: Record<string, unknown>, options: CallOptions = {}): Promise<Answered> =>
    guestPost("/api/v0/users/create_sms_verification_code", body, options);
  async function register(
    payload: Record<string, unknown>,
    rest: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<Answered> {
    return guestPost("/api/v0/users/register", { payload, os: "web", ...rest }, options);
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
    routes: app.app.routes,
    server,
    time,
    mails,
    mailer,
    texts,
    notices,
    gateway,
    get,
    post,
    guestProof,
    guestPost,
    askCode,
    askText,
    register,
    signUp,
    close: () => app.close(),
  };
}
