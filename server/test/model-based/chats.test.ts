// Chats under everything a user may do, in any order: the server answers and holds what the contract says (wire-contract.md
// §10, §11, §17). PLUMB_SEED does the same actions again, and makes them few where they fail. More of them on SQLite are
// done by more-chats.test.ts.
import { FeedbackRefusal } from "@plumb/protocol/wire/feedback";
import { ResumeGotFullMessage } from "@plumb/protocol/wire/replies";
import {
  CreateSessionRefusal,
  FetchPageRefusal,
  UpdatePinnedRefusal,
  UpdateTitleRefusal,
} from "@plumb/protocol/wire/sessions";
import { TurnRefusal } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines } from "../test-databases.ts";
import { ChatCommand } from "./chat-command.ts";
import { guidedActions } from "./guided-actions.ts";
import { type ChatApp, openChatApp } from "./real-chat.ts";
import { runAnyActions, runCommands, RUNS } from "./run-commands.ts";

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

  it("refuse what they must, each refusal once", async () => {
    chat.reached.clear();
    await runCommands(
      chat,
      guidedActions.map((action) => new ChatCommand(action)),
      30,
    );
    const missing = refusals.filter(({ code, msg }) => !chat.reached.has(`${code} ${msg}`));
    expect(missing).toEqual([]);
  });

  it("are what the model says, whatever is done in whatever order", async () => {
    await runAnyActions(chat, { runs: RUNS[engine] });
    expect(chat.actions).toBeGreaterThan(RUNS[engine]);
  }, 36_000_000);
});
