// A person's client without a screen, many of which fit into one process: signs up, solves puzzles, sends, reads.
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import { createHash, randomBytes } from "node:crypto";
import type { Agent, IncomingMessage } from "node:http";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import { encodeGuestPowResponse, encodePowResponse, RequestHeader } from "@plumb/protocol/wire/headers";
import type { History } from "@plumb/protocol/wire/sessions";
import { type Answer, type Json, readAnswer } from "./answer.ts";
import { ConnectionLost, keepAliveAgent, openCall, readJson } from "./http-call.ts";
import { type ReadOptions, type ReplyCaller, ReplyReader } from "./reply-reader.ts";

/** Where the server, or one of several, is found now. */
export type Target = () => string;

export interface SendOptions extends ReadOptions {
  sessionId: string;
  prompt: string;
  parentId?: number | null;
  thinking?: boolean;
  search?: boolean;
  clientStreamId?: string;
}

export const LOAD_PASSWORD = "a long passphrase";
const completion = "/api/v0/chat/completion";
const sha256 = (ascii: string): string => createHash("sha256").update(ascii).digest("hex");

export function newStreamId(): string {
  return `20260101-${randomBytes(8).toString("hex")}`;
}

export class LoadClient implements ReplyCaller {
  readonly token: string;
  readonly target: Target;
  readonly agent: Agent;

  private constructor(target: Target, token: string, agent: Agent) {
    this.target = target;
    this.token = token;
    this.agent = agent;
  }

  /** Makes an account with the code from the outbox; its password is LOAD_PASSWORD. */
  static async signUp(
    target: Target,
    codeFor: (email: string) => string,
    email = `load-${randomBytes(6).toString("hex")}@example.com`,
  ): Promise<LoadClient> {
    const guest = new LoadClient(target, "", keepAliveAgent());
    await guest.#guestCall("/api/v0/users/create_email_verification_code", { email, scenario: "register" });
    const payload = { email, password: LOAD_PASSWORD, email_verification_code: codeFor(email) };
    const data = await guest.#guestCall("/api/v0/users/register", { payload });
    return new LoadClient(target, (data["user"] as { token: string }).token, guest.agent);
  }

  /** The same person at another server. */
  at(target: Target): LoadClient {
    return new LoadClient(target, this.token, this.agent);
  }

  /** The same person over other connections. Close it. */
  over(agent: Agent): LoadClient {
    return new LoadClient(this.target, this.token, agent);
  }

  /** The envelope of a call. Throws ConnectionLost. */
  async call(path: string, body?: Json, more: Record<string, string> = {}): Promise<Answer> {
    const incoming = await this.open(path, body, more);
    return readAnswer(incoming.statusCode ?? 0, await readJson(incoming));
  }

  /** `biz_data` of a call that must succeed. */
  async must(path: string, body?: Json, more: Record<string, string> = {}): Promise<Json> {
    const answer = await this.call(path, body, more);
    if (answer.code !== 0 || answer.biz?.code !== 0) {
      throw new Error(`${path} answered ${JSON.stringify(answer)}`);
    }
    return answer.biz.data ?? {};
  }

  open(path: string, body?: Json, more: Record<string, string> = {}): Promise<IncomingMessage> {
    const headers = {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(this.token === "" ? {} : { authorization: `Bearer ${this.token}` }),
      ...more,
    };
    return openCall(this.agent, this.target() + path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async createSession(): Promise<string> {
    return String((await this.must("/api/v0/chat_session/create", {}))["id"]);
  }

  /** A header with a solved puzzle, good for one message or upload. Throws ConnectionLost, also of a server that has none now. */
  async proof(target = completion): Promise<Record<string, string>> {
    const path = "/api/v0/chat/create_pow_challenge";
    const given = await this.call(path, { target_path: target });
    if (given.status === 503) throw new ConnectionLost(`${path} answered 503`);
    if (given.biz?.code !== 0) throw new Error(`${path} answered ${JSON.stringify(given)}`);
    const puzzle = given.biz.data?.["challenge"] as Challenge;
    const answer = solve(puzzle, sha256);
    if (answer === null) throw new Error("The puzzle has no answer.");
    return { [RequestHeader.PowResponse]: encodePowResponse({ ...puzzle, answer }) };
  }

  /** Sends a message and follows its reply to the end, whatever happens to the server. */
  send(options: SendOptions): ReplyReader {
    const reader = new ReplyReader(this, {
      ...options,
      clientStreamId: options.clientStreamId ?? newStreamId(),
    });
    reader.start();
    return reader;
  }

  /** Follows a reply that runs or ran; `known` is what the client has of it. */
  follow(options: SendOptions & { messageId: number; known?: ReplyState }): ReplyReader {
    const reader = new ReplyReader(this, { ...options, clientStreamId: options.clientStreamId ?? null });
    reader.startAt(options.messageId, options.known);
    return reader;
  }

  async stop(sessionId: string, messageId?: number): Promise<Answer> {
    const message = messageId === undefined ? {} : { message_id: messageId };
    return this.call("/api/v0/chat/stop_stream", { chat_session_id: sessionId, ...message });
  }

  async rename(sessionId: string, title: string): Promise<Answer> {
    return this.call("/api/v0/chat_session/update_title", { chat_session_id: sessionId, title });
  }

  async delete(sessionId: string): Promise<Answer> {
    return this.call("/api/v0/chat_session/delete", { chat_session_id: sessionId });
  }

  async history(sessionId: string): Promise<History> {
    const path = `/api/v0/chat/history_messages?chat_session_id=${sessionId}`;
    return (await this.must(path)) as unknown as History;
  }

  close(): void {
    this.agent.destroy();
  }

  async #guestCall(path: string, body: Json): Promise<Json> {
    const given = await this.must("/api/v0/users/create_guest_challenge", { target_path: path });
    const puzzle = given["guest_challenge"] as Challenge;
    const answer = solve(puzzle, sha256);
    if (answer === null) throw new Error("The puzzle has no answer.");
    const proof = encodeGuestPowResponse({ salt: puzzle.salt, answer });
    return this.must(path, body, { [RequestHeader.GuestPowResponse]: proof });
  }
}
