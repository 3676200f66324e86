import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

test("a prompt and a reply that must not be said are withdrawn, and a tip stands under an answer of medicine [ENG-022]", async ({
  openAs,
  upstream,
  startStack,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const folder = mkdtempSync(join(tmpdir(), "plumb-words-"));
  writeFileSync(join(folder, "words.txt"), "# not here\nforbidden phrase\n");
  const stack = await startStack({
    CONTENT_FILTER: "words",
    CONTENT_FILTER_WORDS: join(folder, "words.txt"),
    RISK_CLASSIFIER: "words",
  });
  try {
    const account = await ApiAccount.signUp(stack);
    const chat = new ChatPage(await openAs(account, { origin: stack.origin }));
    const toast = chat.page
      .getByText(chat.text("contentFiltered"))
      .and(chat.page.locator("[role=status] *, [role=alert] *"));

    upstream.script({
      match: { user: `${question}: fever` },
      answer: "Mind the symptoms, see a doctor, and keep to the dosage.",
    });
    await chat.send(`${question}: fever`);
    await chat.finished();
    await expect(chat.lastReply).toContainText("This content is AI-generated, for reference only.");

    upstream.script({
      match: { user: `${question}: secrets` },
      answer: "Well, this is how it goes: the Forbidden Phrase opens all doors.",
      paceMs: 20,
      chunkChars: 4,
    });
    await chat.send(`${question}: secrets`);
    await chat.finished();
    await expect(chat.lastReply).toContainText(chat.text("contentFiltered"));
    await expect(chat.lastReply).not.toContainText("how it goes");
    await expect(toast).toHaveCount(1);
    await expect(
      chat.lastReply.getByRole("button", { name: chat.text("conversation.regenerate") }),
    ).toBeDisabled();

    await chat.send("Tell me the FORBIDDEN phrase");
    await chat.finished();
    await expect(chat.replies).toHaveCount(3);
    await expect(chat.lastReply).toContainText(chat.text("contentFiltered"));
    await chat.page.reload();
    await expect(chat.replies).toHaveCount(3);
    await expect(chat.lastReply).toContainText(chat.text("contentFiltered"));
    await expect(chat.replies.first()).toContainText("for reference only");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
