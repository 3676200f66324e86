import { ApiAccount } from "../support/api-account.ts";
import { expectAccessible } from "../support/accessible.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";

test("a model is chosen, kept, shown at its reply and changed for another; a reply is liked, then disliked with a reason [FDBK-001] [FDBK-006] [FDBK-007]", async ({
  openAs,
  startStack,
  calls,
  question,
}) => {
  calls.expect({ answer: 2 });
  const stack = await startStack({
    MODELS: "scripted-model=Usual,large:70b=A large model with a long name",
  });
  const account = await ApiAccount.signUp(stack);
  const chat = new ChatPage(await openAs(account, { origin: stack.origin }));
  const { page } = chat;
  const large = "A large model with a long name";
  const select = (model: string) =>
    page.getByRole("button", { name: chat.text("composer.model", { model }), exact: true });
  const choice = (model: string) => page.getByRole("menuitemradio", { name: model, exact: true });

  await select("Usual").click();
  await expect(choice("Usual")).toHaveAttribute("aria-checked", "true");
  await expectAccessible(page, "choice of a model");
  await choice(large).click();
  await expect(select(large)).toBeVisible();
  await page.reload();
  await expect(select(large)).toBeVisible();

  await chat.send(question);
  await chat.finished();
  const asked = () => calls.calls.filter(({ kind }) => kind === "answer").map(({ model }) => model);
  expect(asked()).toEqual(["large:70b"]);
  const writer = (model: string) =>
    chat.lastReply.getByRole("button", { name: chat.text("conversation.writtenBy", { model }) });
  await writer(large).click();
  await choice("Usual").click();
  await expect(writer("Usual")).toBeVisible();
  await expect(chat.composer).toBeFocused();
  await chat.finished();
  expect(asked()).toEqual(["large:70b", "scripted-model"]);
  await expect(select(large)).toBeVisible();

  const like = chat.lastReply.getByRole("button", { name: chat.text("feedback.like") });
  const dislike = chat.lastReply.getByRole("button", { name: chat.text("feedback.dislike") });
  await like.click();
  await expect(like).toHaveAttribute("aria-pressed", "true");
  await dislike.click();
  await expect(like).toHaveAttribute("aria-pressed", "false");
  const dialog = page.getByRole("dialog", { name: chat.text("feedback.title") });
  const reasons = dialog.getByRole("group", { name: chat.text("feedback.reasons") }).getByRole("button");
  await expect(reasons).toHaveCount(8);
  const submit = dialog.getByRole("button", { name: chat.text("feedback.submit") });
  await submit.click();
  await expect(page.getByText(chat.text("feedback.thanks"))).toBeVisible();
  await expect(dialog).toHaveCount(0);
  const given = async () => (await account.lastReply(await chat.sessionId())).message.feedback;
  expect(await given()).toEqual({ feedback_type: "BAD", feedback_tag: null, description: null });

  await dislike.click();
  await expect(dislike).toHaveAttribute("aria-pressed", "false");
  await dislike.click();
  await reasons.filter({ hasText: chat.text("feedback.misinformation") }).click();
  await dialog.getByRole("textbox").fill("It is not so.");
  await expectAccessible(page, "feedback");
  await submit.click();
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await expect(dislike).toHaveAttribute("aria-pressed", "true");
  await expect(like).toHaveAttribute("aria-pressed", "false");
  expect(await given()).toEqual({
    feedback_type: "BAD",
    feedback_tag: "misinformation",
    description: "It is not so.",
  });
});
