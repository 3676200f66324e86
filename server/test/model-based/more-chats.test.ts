// The second part of what chats.test.ts does on SQLite: two processors share it.
import { expect, it } from "vitest";
import { openChatApp } from "./real-chat.ts";
import { runAnyActions, RUNS } from "./run-commands.ts";

it("chats on sqlite are what the model says, whatever else is done in whatever order", async () => {
  const chat = await openChatApp("sqlite");
  try {
    await runAnyActions(chat, { runs: RUNS.sqlite, part: 1 });
    expect(chat.actions).toBeGreaterThan(RUNS.sqlite);
  } finally {
    await chat.close();
  }
}, 36_000_000);
