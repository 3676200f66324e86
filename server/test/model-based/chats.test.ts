// Chats under everything a user may do, in any order: the server answers and holds what the contract says (wire-contract.md
// §10, §11, §17). PLUMB_SEED does the same actions again, and makes them few where they fail.
import { FeedbackRefusal } from "@plumb/protocol/wire/feedback";
import { ResumeGotFullMessage } from "@plumb/protocol/wire/replies";
import {
  CreateSessionRefusal,
  FetchPageRefusal,
  UpdatePinnedRefusal,
  UpdateTitleRefusal,
} from "@plumb/protocol/wire/sessions";
import { TurnRefusal } from "@plumb/protocol/wire/turns";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines } from "../test-databases.ts";
import { actions } from "./chat-actions.ts";
import { ChatCommand } from "./chat-command.ts";
import { type ChatModel, newChatModel } from "./chat-model.ts";
import { guidedActions } from "./guided-actions.ts";
import { type ChatApp, openChatApp, RealChat } from "./real-chat.ts";

const long = process.env["TEST_LONG"] === "1";
const RUNS = { sqlite: long ? 19_000 : 280, postgres: long ? 1000 : 20 };
/** Lengths are spread from nothing to this; of what is drawn two thirds can be done: 40 in the middle. */
const MOST_COMMANDS = long ? 150 : 125;
/** To make a failure small takes minutes: that is for whoever looks at it. */
const endOnFailure = process.env["PLUMB_SEED"] === undefined;
/** Of all properties, or a new one (scripts/testing/seed-of-properties.ts). */
const seed = fc.readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31);

/** They need files, personas or search. */
const elsewhere: { code: number; msg: string }[] = [
  TurnRefusal.InvalidFileReference,
  TurnRefusal.SessionFileLimitReached,
  TurnRefusal.ThinkingWithFile,
  TurnRefusal.SearchWithFile,
  TurnRefusal.SearchNotWithCharacter,
];
const refusals: { code: number; msg: string }[] = [
  ...Object.values(TurnRefusal),
  ...Object.values(CreateSessionRefusal),
  ...Object.values(FetchPageRefusal),
  ...Object.values(UpdateTitleRefusal),
  ...Object.values(UpdatePinnedRefusal),
  ...Object.values(FeedbackRefusal),
  ResumeGotFullMessage,
].filter((refusal) => !elsewhere.includes(refusal));

describe.each(engines)("chats on %s", (engine) => {
  let chat: ChatApp;
  beforeAll(async () => {
    chat = await openChatApp(engine);
  });
  afterAll(() => chat.close());

  async function run(
    commands: Iterable<fc.AsyncCommand<ChatModel, RealChat>>,
    mostSessions?: number,
  ): Promise<void> {
    const real = await RealChat.open(chat);
    try {
      await fc.asyncModelRun(() => ({ model: newChatModel(chat.clock.now(), mostSessions), real }), commands);
    } finally {
      await real.leave();
    }
  }

  it("refuse what they must, each refusal once", async () => {
    chat.reached.clear();
    await run(
      guidedActions.map((action) => new ChatCommand(action)),
      30,
    );
    const missing = refusals.filter(({ code, msg }) => !chat.reached.has(`${code} ${msg}`));
    expect(missing).toEqual([]);
  });

  it("are what the model says, whatever is done in whatever order", async () => {
    console.log(`model of chats on ${engine}: PLUMB_SEED=${seed}`);
    const commands = fc.commands([actions.map((action) => new ChatCommand(action))], {
      maxCommands: MOST_COMMANDS,
      size: "max",
    });
    chat.actions = 0;
    await fc.assert(
      fc.asyncProperty(commands, (some) => run(some)),
      { seed, numRuns: RUNS[engine], endOnFailure },
    );
    console.log(`model of chats on ${engine}: ${chat.actions} actions`);
  }, 36_000_000);
});
