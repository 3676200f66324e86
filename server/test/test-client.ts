// A client of the API over a real connection: envelopes, puzzles, sign-up, streams.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import { register } from "@plumb/protocol/wire/sign-up";
import type { Call, InputOf, ResponseOf } from "@plumb/protocol/wire/call";
import type { Envelope } from "@plumb/protocol/wire/envelope";
import { fetchFiles, uploadFile } from "@plumb/protocol/wire/files";
import { createGuestChallenge, createPowChallenge } from "@plumb/protocol/wire/guard";
import { encodeGuestPowResponse, encodePowResponse, RequestHeader } from "@plumb/protocol/wire/headers";
import type { User } from "@plumb/protocol/wire/user";
import { createEmailVerificationCode } from "@plumb/protocol/wire/verification-codes";
import { type EventStreamReader, readEventStream } from "./event-stream-reader.ts";

export interface JsonAnswer<T = unknown> {
  status: number;
  headers: Headers;
  envelope: Envelope;
  /** biz_data, whatever the outcome. */
  data: T;
}

type AnyCall = Omit<Call, "request" | "response"> & { readonly request: unknown };

export interface TestClient {
  /** The signed-in user's token; null = anonymous. May be set. */
  token: string | null;
  user: User | null;
  /** Sends a call with its proof solved, its token attached and `headers` on top. */
  call<C extends AnyCall>(
    call: C,
    input: InputOf<C>,
    headers?: Record<string, string>,
  ): Promise<JsonAnswer<ResponseOf<C>>>;
  /** As `call`; throws unless the outcome is a success, and returns biz_data. */
  ok<C extends AnyCall>(call: C, input: InputOf<C>, headers?: Record<string, string>): Promise<ResponseOf<C>>;
  /** A stream call that must answer with a stream. */
  stream<C extends AnyCall>(
    call: C,
    input: InputOf<C>,
    headers?: Record<string, string>,
  ): Promise<EventStreamReader>;
  /** Uploads a file as a browser does. */
  upload(
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<JsonAnswer<FileInfo>>;
  /** As `upload`; throws unless it was taken, and resolves when it has been read, or could not be. */
  uploaded(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<FileInfo>;
  /** A request as it is, with the token but no proof. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Headers with a solved puzzle for the call. */
  proofFor(call: Pick<Call, "path" | "proof">): Promise<Record<string, string>>;
  /** Signs up through the code from the mailer and stays signed in. */
  signUp(email?: string, password?: string): Promise<User>;
  /** Another client of the same account. */
  another(): TestClient;
}

export interface TestClientOptions {
  /** Where the server listens, without a slash at the end. */
  address: string;
  /** The last verification code sent to an address. */
  lastCode(email: string): string;
}

let people = 0;
const sha256Hex = (text: string): string => createHash("sha256").update(text, "latin1").digest("hex");

export function createTestClient(options: TestClientOptions): TestClient {
  const { address, lastCode } = options;

  const client: TestClient = {
    token: null,
    user: null,

    request(path, init = {}) {
      const headers = new Headers(init.headers);
      if (client.token !== null) headers.set("authorization", `Bearer ${client.token}`);
      return fetch(address + path, { redirect: "manual", ...init, headers });
    },

    async call<C extends AnyCall>(call: C, input: InputOf<C>, headers: Record<string, string> = {}) {
      return readJson<ResponseOf<C>>(await send(call, input, headers));
    },

    async ok(call, input, headers) {
      const answer = await client.call(call, input, headers);
      const { envelope } = answer;
      if (envelope.code !== 0 || !call.successCodes.includes(envelope.data?.biz_code ?? -1)) {
        throw new Error(`${call.path} was refused: ${JSON.stringify(envelope)}`);
      }
      return answer.data;
    },

    async stream(call, input, headers) {
      const cut = new AbortController();
      const response = await send(call, input, headers ?? {}, cut.signal);
      if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
        throw new Error(`${call.path} answered no stream: ${response.status} ${await response.text()}`);
      }
      return readEventStream(response, cut);
    },

    async upload(name, content, headers = {}) {
      const form = new FormData();
      form.append("file", new Blob([content]), name);
      const proof = await client.proofFor(uploadFile);
      const response = await client.request(uploadFile.path, {
        method: "POST",
        headers: { ...proof, ...headers },
        body: form,
      });
      return readJson<FileInfo>(response);
    },

    async uploaded(name, content) {
      const { envelope, data } = await client.upload(name, content);
      if (envelope.data?.biz_code !== 0) throw new Error(`${name} was refused: ${JSON.stringify(envelope)}`);
      for (;;) {
        const { files } = await client.ok(fetchFiles, { file_ids: data.id });
        const [file] = files;
        if (file === undefined) throw new Error(`${name} is gone`);
        if (file.status !== "PENDING" && file.status !== "PARSING") return file;
        await sleep(10);
      }
    },

    async proofFor({ path, proof }): Promise<Record<string, string>> {
      if (proof === "none") return {};
      if (proof === "guest") {
        const { guest_challenge: challenge } = await client.ok(createGuestChallenge, { target_path: path });
        return {
          [RequestHeader.GuestPowResponse]: encodeGuestPowResponse({
            salt: challenge.salt,
            answer: solved(challenge),
          }),
        };
      }
      const { challenge } = await client.ok(createPowChallenge, { target_path: path });
      return { [RequestHeader.PowResponse]: encodePowResponse({ ...challenge, answer: solved(challenge) }) };
    },

    async signUp(
      email = `person-${process.pid}-${++people}@example.org`,
      password = "correct horse battery",
    ) {
      await client.ok(createEmailVerificationCode, { email, scenario: "register" });
      const { user } = await client.ok(register, {
        payload: { email, password, email_verification_code: lastCode(email) },
        os: "web",
      });
      client.token = user.token;
      client.user = user;
      return user;
    },

    another() {
      const other = createTestClient(options);
      other.token = client.token;
      other.user = client.user;
      return other;
    },
  };

  async function send(
    call: AnyCall,
    input: unknown,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const proof = await client.proofFor(call);
    const all = { ...proof, ...headers };
    const aborting = signal === undefined ? {} : { signal };
    if (call.method === "GET")
      return client.request(call.path + queryOf(input), { headers: all, ...aborting });
    return client.request(call.path, {
      method: "POST",
      headers: { "content-type": "application/json", ...all },
      body: JSON.stringify(input),
      ...aborting,
    });
  }

  return client;
}

async function readJson<T>(response: Response): Promise<JsonAnswer<T>> {
  const envelope = (await response.json()) as Envelope;
  return {
    status: response.status,
    headers: response.headers,
    envelope,
    data: (envelope.data?.biz_data ?? null) as T,
  };
}

function solved(challenge: Challenge): number {
  const answer = solve(challenge, sha256Hex);
  if (answer === null) throw new Error("the challenge has no answer");
  return answer;
}

function queryOf(input: unknown): string {
  const entries = Object.entries((input ?? {}) as Record<string, unknown>).filter(
    (entry) => entry[1] !== undefined && entry[1] !== null,
  );
  return entries.length === 0
    ? ""
    : `?${new URLSearchParams(entries.map(([key, value]): [string, string] => [key, String(value)])).toString()}`;
}
