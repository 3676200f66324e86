// Runs of the model of chats: what is done in one of them, and how many are made.
import fc from "fast-check";
import { actions } from "./chat-actions.ts";
import { ChatCommand } from "./chat-command.ts";
import { type ChatModel, newChatModel } from "./chat-model.ts";
import { type ChatApp, RealChat } from "./real-chat.ts";

const isLong = process.env["TEST_LONG"] === "1";
/** On SQLite in two parts, by two files: with `npm run test:long` each of them takes some forty minutes of a processor. */
export const RUNS = { sqlite: isLong ? 9500 : 140, postgres: isLong ? 1000 : 20 };
/** Lengths are spread from nothing to this; of what is drawn two thirds can be done: 40 in the middle. */
const MOST_COMMANDS = isLong ? 150 : 125;
/** To make a failure small takes minutes: that is for whoever looks at it. */
const endOnFailure = process.env["PLUMB_SEED"] === undefined;
/** Of all properties, or a new one (scripts/testing/seed-of-properties.ts). */
const seed = fc.readConfigureGlobal().seed ?? Math.floor(Math.random() * 2 ** 31);

/** Does the commands with an account of its own, and compares after each. */
export async function runCommands(
  chat: ChatApp,
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

/** Actions in any order, `runs` times. `part` of those that are made with one seed, counted from 0. */
export async function runAnyActions(
  chat: ChatApp,
  { runs, part = 0 }: { runs: number; part?: number },
): Promise<void> {
  const { engine } = chat.app.db;
  console.log(`model of chats on ${engine}, part ${part}: PLUMB_SEED=${seed}`);
  const commands = fc.commands([actions.map((action) => new ChatCommand(action))], {
    maxCommands: MOST_COMMANDS,
    size: "max",
  });
  chat.actions = 0;
  await fc.assert(
    fc.asyncProperty(commands, (some) => runCommands(chat, some)),
    { seed: seed + part, numRuns: runs, endOnFailure },
  );
  console.log(`model of chats on ${engine}, part ${part}: ${chat.actions} actions`);
}
