// An account made and read through the API, so that journeys about other things need no form.
import { createHash, randomBytes } from "node:crypto";
import type { Message } from "@plumb/protocol/conversation/message";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import { encodeGuestPowResponse, encodePowResponse, RequestHeader } from "@plumb/protocol/wire/headers";
import type { History, Session, SessionPage } from "@plumb/protocol/wire/sessions";
import type { Stack } from "./start-stack.ts";

type Json = Record<string, unknown>;
type Reachable = Pick<Stack, "origin" | "codeFor">;

interface Answer {
  code: number;
  msg: string;
  data: { biz_code: number; biz_msg: string; biz_data: Json | null } | null;
}

const sha256 = (ascii: string): string => createHash("sha256").update(ascii).digest("hex");

export class ApiAccount {
  readonly email: string;
  readonly password: string;
  token = "";
  private readonly stack: Reachable;

  private constructor(stack: Reachable) {
    this.stack = stack;
    this.email = `journey-${randomBytes(6).toString("hex")}@example.com`;
    this.password = "a long passphrase";
  }

  /** Signs a new account up with the code from the outbox. */
  static async signUp(stack: Reachable): Promise<ApiAccount> {
    const account = new ApiAccount(stack);
    const { email, password } = account;
    await account.guestCall("/api/v0/users/create_email_verification_code", { email, scenario: "register" });
    const payload = { email, password, email_verification_code: stack.codeFor(email) };
    const signedIn = await account.guestCall("/api/v0/users/register", { payload });
    account.token = (signedIn["user"] as { token: string }).token;
    return account;
  }

  /** The history as the server has it now. */
  async history(sessionId: string): Promise<History> {
    return (await this.get(
      `/api/v0/chat/history_messages?chat_session_id=${sessionId}`,
    )) as unknown as History;
  }

  /** The newest reply of a session, with its texts taken out. */
  async lastReply(sessionId: string): Promise<{ message: Message; thought: string; answer: string }> {
    const { chat_messages: messages } = await this.history(sessionId);
    const message = messages.findLast(({ role }) => role === "ASSISTANT");
    if (message === undefined) throw new Error("The session holds no reply.");
    const textOf = (type: string): string =>
      message.fragments
        .map((fragment) => (fragment.type === type && "content" in fragment ? String(fragment.content) : ""))
        .join("");
    return { message, thought: textOf("THINK"), answer: textOf("RESPONSE") };
  }

  async sessions(): Promise<Session[]> {
    return ((await this.get("/api/v0/chat_session/fetch_page?count=100")) as unknown as SessionPage)
      .chat_sessions;
  }

  /** A finished turn, in a new session or under the newest message of `sessionId`; answers with the session's id. */
  async ask(prompt: string, { sessionId }: { sessionId?: string } = {}): Promise<string> {
    const id = sessionId ?? String((await this.post("/api/v0/chat_session/create", {}))["id"]);
    const parentId = sessionId === undefined ? null : (await this.lastReply(sessionId)).message.message_id;
    const path = "/api/v0/chat/completion";
    const challenge = await this.post("/api/v0/chat/create_pow_challenge", { target_path: path });
    const puzzle = challenge["challenge"] as unknown as Challenge;
    const answer = solve(puzzle, sha256);
    if (answer === null) throw new Error("The puzzle has no answer.");
    const response = await fetch(this.stack.origin + path, {
      method: "POST",
      headers: { ...this.headers(), [RequestHeader.PowResponse]: encodePowResponse({ ...puzzle, answer }) },
      body: JSON.stringify({
        chat_session_id: id,
        parent_message_id: parentId,
        prompt,
        client_stream_id: randomBytes(12).toString("hex"),
      }),
    });
    const stream = await response.text();
    if (!/^event: close$/m.test(stream)) throw new Error(`The reply did not come to its end:\n${stream}`);
    return id;
  }

  async rename(sessionId: string, title: string): Promise<void> {
    await this.post("/api/v0/chat_session/update_title", { chat_session_id: sessionId, title });
  }

  /** Makes a persona; answers with its id. */
  async createCharacter(fields: Json): Promise<string> {
    return String((await this.post("/api/v0/character/create", fields))["id"]);
  }

  async deleteCharacter(id: string): Promise<void> {
    await this.post("/api/v0/character/delete", { character_id: id });
  }

  /** Shares messages of a session; answers with the share's id. Without a title it is called after the first question. */
  async share(sessionId: string, messageIds: readonly number[], title?: string): Promise<string> {
    const answer = await this.post("/api/v0/share/create", {
      chat_session_id: sessionId,
      message_ids: messageIds,
      ...(title === undefined ? {} : { title }),
    });
    return String(answer["share_id"]);
  }

  async revoke(shareId: string): Promise<void> {
    await this.post("/api/v0/share/delete", { share_id: shareId });
  }

  /** Another sign-in of the same account. */
  async signInAgain(): Promise<ApiAccount> {
    const { email, password } = this;
    const other = new ApiAccount(this.stack);
    const signedIn = await other.post("/api/v0/users/login", { email, password });
    return Object.assign(other, { email, password, token: (signedIn["user"] as { token: string }).token });
  }

  /** Logs out of all devices. */
  async endAllSignIns(): Promise<void> {
    await this.post("/api/v0/users/logout_all_sessions", {});
  }

  /** The global code that a call answers. */
  async codeOf(path: string): Promise<number> {
    const response = await fetch(this.stack.origin + path, { headers: this.headers() });
    return ((await response.json()) as Answer).code;
  }

  private headers(): Record<string, string> {
    return { "content-type": "application/json", authorization: `Bearer ${this.token}` };
  }

  async get(path: string): Promise<Json> {
    return read(path, await fetch(this.stack.origin + path, { headers: this.headers() }));
  }

  private async post(path: string, body: Json): Promise<Json> {
    const request = { method: "POST", headers: this.headers(), body: JSON.stringify(body) };
    return read(path, await fetch(this.stack.origin + path, request));
  }

  private async guestCall(path: string, body: Json): Promise<Json> {
    const given = await this.post("/api/v0/users/create_guest_challenge", { target_path: path });
    const puzzle = given["guest_challenge"] as Challenge;
    const answer = solve(puzzle, sha256);
    if (answer === null) throw new Error("The puzzle has no answer.");
    const proof = { [RequestHeader.GuestPowResponse]: encodeGuestPowResponse({ salt: puzzle.salt, answer }) };
    const headers = { "content-type": "application/json", ...proof };
    return read(
      path,
      await fetch(this.stack.origin + path, { method: "POST", headers, body: JSON.stringify(body) }),
    );
  }
}

async function read(path: string, response: Response): Promise<Json> {
  const answer = (await response.json()) as Answer;
  if (answer.code !== 0 || answer.data?.biz_code !== 0) {
    throw new Error(`${path} answered ${response.status} ${JSON.stringify(answer)}`);
  }
  return answer.data.biz_data ?? {};
}
