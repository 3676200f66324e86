// The application as the commands of the model meet it: one for all runs, a new account for each.
import { randomUUID } from "node:crypto";
import type { Message } from "@plumb/protocol/conversation/message";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { type ReplyState, emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import type { Proof } from "@plumb/protocol/wire/call";
import type { Envelope } from "@plumb/protocol/wire/envelope";
import { createSession } from "@plumb/protocol/wire/sessions";
import { issueToken } from "../../src/features/accounts/login-tokens.ts";
import { insertUser } from "../../src/features/accounts/user-store.ts";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import { type EventStreamReader, readEventStream } from "../event-stream-reader.ts";
import { createScriptedModel, type ScriptedRun } from "../scripted-model.ts";
import type { TestClient } from "../test-client.ts";
import { SkippingClock } from "../test-clock.ts";
import type { Engine } from "../test-databases.ts";
import { MODELED } from "./chat-model.ts";
import type { ModelTurn } from "./turn-model.ts";

export type RealAnswer =
  { kind: "json"; status: number; envelope: Envelope } | { kind: "stream"; reader: EventStreamReader };

/** A reply that runs, by its session and message. */
export interface LiveReply {
  reader: EventStreamReader;
  run: ScriptedRun;
}

export interface ChatApp {
  app: TestApp;
  clock: SkippingClock;
  /** Runs of the model that no command has taken yet. */
  arrived: ScriptedRun[];
  /** Resolves with the next of them. */
  nextRun(): Promise<ScriptedRun>;
  /** A session of somebody else. */
  foreignSession: string;
  /** The refusals that were met where the model has them, and how many actions were done. */
  reached: Set<string>;
  actions: number;
  close(): Promise<void>;
}

/** Every reply waits for the test, one offered model, little of everything that has a limit. */
export async function openChatApp(engine: Engine): Promise<ChatApp> {
  const clock = new SkippingClock();
  const model = createScriptedModel();
  model.details = { ...model.details, contextTokens: MODELED.contextTokens };
  model.choice = [{ id: MODELED.offered, name: "Small", listed: true }];
  model.title = MODELED.madeTitle;
  const arrived: ScriptedRun[] = [];
  let wake = (): void => {};
  const take = async (): Promise<void> => {
    for (;;) {
      arrived.push(await model.next());
      wake();
    }
  };
  const app = await createTestApp({
    engine,
    clock,
    model,
    settings: {
      MAX_MESSAGES_PER_SESSION: String(MODELED.maxMessages),
      THINKING_QUOTA_PER_DAY: String(MODELED.thinkingPerDay),
    },
  });
  void take();
  const other = await newPerson(app, clock);
  const foreignSession = (await other.ok(createSession, {})).id;
  // It is not forgotten while the clock is moved by days: it has a message.
  await app.db.kysely
    .updateTable("sessions")
    .set({ current_message_id: 1 })
    .where("id", "=", foreignSession)
    .execute();
  return {
    app,
    clock,
    arrived,
    async nextRun() {
      while (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return arrived.shift() as ScriptedRun;
    },
    foreignSession,
    reached: new Set(),
    actions: 0,
    close: () => app.close(),
  };
}

/** Without the password, whose hash is what makes a sign-up slow. */
async function newPerson(app: TestApp, clock: SkippingClock): Promise<TestClient> {
  const id = randomUUID();
  const now = clock.now();
  const account = { id, email: `${id}@example.org`, mobile: null, password_hash: "none", created_at: now };
  const person = app.client();
  person.token = await app.db.transaction(async (trx) => {
    await insertUser(trx, account);
    return issueToken(trx, id, now, { client: "", region: null });
  });
  return Object.assign(person, { id });
}

/** One account's way to the application. */
export class RealChat {
  readonly chat: ChatApp;
  readonly person: TestClient;
  readonly live = new Map<string, LiveReply>();
  /** The last turn that was asked of each session. */
  readonly lastTurns = new Map<string, ModelTurn>();
  #words = 0;

  private constructor(chat: ChatApp, person: TestClient) {
    this.chat = chat;
    this.person = person;
  }

  static async open(chat: ChatApp): Promise<RealChat> {
    return new RealChat(chat, await newPerson(chat.app, chat.clock));
  }

  get userId(): string {
    return (this.person as TestClient & { id: string }).id;
  }

  /** A word that was not said before in this run. */
  word(): string {
    this.#words += 1;
    return `w${this.#words}`;
  }

  async ask(
    call: { path: string; proof: Proof },
    input: unknown,
    options: { proof?: boolean; headers?: Record<string, string> } = {},
  ): Promise<RealAnswer> {
    const proof = options.proof === false ? {} : await this.person.proofFor(call);
    const cut = new AbortController();
    const response = await this.person.request(call.path, {
      method: "POST",
      headers: { "content-type": "application/json", ...proof, ...options.headers },
      body: JSON.stringify(input),
      signal: cut.signal,
    });
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true)
      return { kind: "stream", reader: readEventStream(response, cut) };
    return { kind: "json", status: response.status, envelope: (await response.json()) as Envelope };
  }

  /** Breaks off what runs, and closes every stream. */
  async leave(): Promise<void> {
    for (const { reader, run } of this.live.values()) {
      run.fail("unavailable");
      await reader.close();
    }
    this.chat.arrived.length = 0;
  }
}

export const keyOf = (session: string, reply: number): string => `${session}/${reply}`;

/** The reply as the stream tells it, once its message is as expected; `before` is what its reader had. Rejects when the stream ends without. */
export async function untilShown(
  reader: EventStreamReader,
  fits: (message: Message) => boolean,
  before: ReplyState = emptyReply(),
): Promise<ReplyState> {
  let state = before;
  let seen = 0;
  await reader.waitFor(() => {
    for (; seen < reader.events.length; seen += 1) state = reduceReply(state, reader.events[seen]!);
    return state.message !== null && fits(state.message);
  });
  return state;
}

export const foldOf = (events: readonly ReceivedEvent[]): ReplyState =>
  events.reduce(reduceReply, emptyReply());
