// Somebody who uses the API, anonymous or signed in. Every JSON answer to them is held against the form of an envelope.
import { createHash, randomBytes } from "node:crypto";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import type { Envelope } from "@plumb/protocol/wire/envelope";
import { encodeGuestPowResponse, encodePowResponse, RequestHeader } from "@plumb/protocol/wire/headers";
import type { History, Session } from "@plumb/protocol/wire/sessions";
import { expectEnvelope } from "../expect-envelope.ts";
import type { ConformanceTarget } from "./conformance-target.ts";
import { type Answered, exchange } from "./http-exchange.ts";
import type { LiveStream } from "./live-stream.ts";

export type Json = Record<string, unknown>;

export interface Said extends Answered {
  envelope: Envelope;
  /** `biz_code`, or null for a global error. */
  biz: number | null;
  /** `biz_msg`, or `msg` of a global error. */
  msg: string;
  /** `biz_data` with its keys unchecked. */
  data: Json;
}

const chat = (name: string): string => `/api/v0/chat/${name}`;
const sha256 = (text: string): string => createHash("sha256").update(text, "latin1").digest("hex");
const uploadPath = "/api/v0/file/upload_file";
const needsProof = new Set([chat("completion"), chat("regenerate"), chat("edit_message")]);

export class Person {
  readonly target: ConformanceTarget;
  email = "";
  password = "";
  token: string | null = null;
  /** Requests so far. */
  requests = 0;

  constructor(target: ConformanceTarget) {
    this.target = target;
  }

  /** The answer as it came. */
  send(method: string, path: string, body?: Json | string, headers: Json = {}): Promise<Answered> {
    this.requests += 1;
    const bearer = this.token === null ? {} : { authorization: `Bearer ${this.token}` };
    const all = { ...bearer, ...headers } as Record<string, string | null>;
    const kept = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
    return exchange(this.target.origin, {
      method,
      path,
      headers: Object.fromEntries(kept),
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  async get(path: string, headers: Json = {}): Promise<Said> {
    return readSaid(await this.send("GET", path, undefined, headers));
  }

  /** With the proof that the call needs, unless `headers` say otherwise (null leaves a header out). */
  async post(path: string, body: Json | string = {}, headers: Json = {}): Promise<Said> {
    return readSaid(await this.send("POST", path, body, { ...(await this.#proofFor(path)), ...headers }));
  }

  /** As `post`, and the call must be executed with success. */
  async must(path: string, body: Json = {}): Promise<Json> {
    const said = await this.post(path, body);
    if (said.biz !== 0) throw new Error(`${path} answered ${said.text}`);
    return said.data;
  }

  /** As `get`, and the call must be executed with success. */
  async look(path: string): Promise<Json> {
    const said = await this.get(path);
    if (said.biz !== 0) throw new Error(`${path} answered ${said.text}`);
    return said.data;
  }

  /** A stream call that must begin a stream. */
  async stream(name: string, body: Json, headers: Json = {}): Promise<LiveStream> {
    const path = chat(name);
    const answered = await this.send("POST", path, body, { ...(await this.#proofFor(path)), ...headers });
    if (answered.stream === null) throw new Error(`${path} answered ${answered.status} ${answered.text}`);
    return answered.stream;
  }

  /** A whole turn, read to its end. */
  async turn(body: Json, name = "completion"): Promise<LiveStream> {
    const stream = await this.stream(name, body);
    await stream.ended();
    return stream;
  }

  async session(): Promise<string> {
    return String((await this.must("/api/v0/chat_session/create"))["id"]);
  }

  /** A new session with one finished turn: messages 1 and 2. */
  async talk(prompt = "Hello"): Promise<string> {
    const id = await this.session();
    await this.turn({ chat_session_id: id, prompt });
    return id;
  }

  /** A new session whose reply, message 2, waits for the model; it has text when the mark says so. */
  async held(mark = "(held)", more: Json = {}): Promise<{ id: string; stream: LiveStream }> {
    const id = await this.session();
    const stream = await this.stream("completion", { chat_session_id: id, prompt: `Wait ${mark}`, ...more });
    await stream.until((events) => events.some(({ type }) => type === "delta"));
    return { id, stream };
  }

  async stop(id: string): Promise<void> {
    await this.must(chat("stop_stream"), { chat_session_id: id });
  }

  async history(id: string): Promise<History> {
    const said = await this.get(`${chat("history_messages")}?chat_session_id=${id}`);
    if (said.biz !== 0) throw new Error(said.text);
    return said.data as unknown as History;
  }

  async page(
    query = "",
  ): Promise<{ chat_sessions: Session[]; has_more: boolean; pinned_sessions?: Session[] }> {
    const said = await this.get(`/api/v0/chat_session/fetch_page${query}`);
    if (said.biz !== 0) throw new Error(said.text);
    return said.data as never;
  }

  /** A file of text, sent with the proof that it needs. */
  async upload(name: string, content: string, headers: Json = {}): Promise<Said> {
    const head = `--end\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
    return this.post(uploadPath, `${head}${content}\r\n--end--\r\n`, {
      "content-type": "multipart/form-data; boundary=end",
      ...(await this.proof(uploadPath)),
      ...headers,
    });
  }

  /** Uploads a text and waits until it has been read. Returns its id. */
  async file(name: string, content: string): Promise<string> {
    const said = await this.upload(name, content);
    if (said.biz !== 0) throw new Error(said.text);
    const id = String(said.data["id"]);
    for (;;) {
      const status = (await this.files(id))[0]?.["status"];
      if (status === "SUCCESS") return id;
      if (status !== "PENDING" && status !== "PARSING") throw new Error(`${name} became ${String(status)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** What is told of these files, separated by commas. */
  async files(ids: string): Promise<Json[]> {
    return (await this.look(`/api/v0/file/fetch_files?file_ids=${ids}`))["files"] as Json[];
  }

  async proof(target = chat("completion")): Promise<Record<string, string>> {
    const { challenge } = (await this.must(chat("create_pow_challenge"), {
      target_path: target,
    })) as unknown as { challenge: Challenge };
    return { [RequestHeader.PowResponse]: encodePowResponse({ ...challenge, answer: solved(challenge) }) };
  }

  async guestProof(path: string): Promise<Record<string, string>> {
    const given = await this.must("/api/v0/users/create_guest_challenge", { target_path: path });
    const challenge = given["guest_challenge"] as Challenge;
    return {
      [RequestHeader.GuestPowResponse]: encodeGuestPowResponse({
        salt: challenge.salt,
        answer: solved(challenge),
      }),
    };
  }

  /** Makes an account and stays signed in. */
  async signUp(): Promise<this> {
    this.email = `conform-${randomBytes(6).toString("hex")}@example.org`;
    this.password = "a long passphrase";
    const codes = "/api/v0/users/create_email_verification_code";
    const sent = await this.post(codes, { email: this.email }, await this.guestProof(codes));
    if (sent.biz !== 0) throw new Error(sent.text);
    const path = "/api/v0/users/register";
    const payload = {
      email: this.email,
      password: this.password,
      email_verification_code: this.target.codeFor(this.email),
    };
    const made = await this.post(path, { payload }, await this.guestProof(path));
    if (made.biz !== 0) throw new Error(made.text);
    this.token = (made.data["user"] as { token: string }).token;
    return this;
  }

  async #proofFor(path: string): Promise<Record<string, string>> {
    return this.token !== null && needsProof.has(path) ? this.proof() : {};
  }
}

function readSaid(answered: Answered): Said {
  const { stream } = answered;
  if (stream !== null) {
    stream.cut();
    throw new Error("the call was answered with a stream");
  }
  const envelope = expectEnvelope(answered);
  return {
    ...answered,
    envelope,
    biz: envelope.code === 0 ? (envelope.data?.biz_code ?? null) : null,
    msg: envelope.code === 0 ? (envelope.data?.biz_msg ?? "") : envelope.msg,
    data: (envelope.data?.biz_data ?? {}) as Json,
  };
}

function solved(challenge: Challenge): number {
  const answer = solve(challenge, sha256);
  if (answer === null) throw new Error("the challenge has no answer");
  return answer;
}
