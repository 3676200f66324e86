// A finished turn: how it is read, on anything it may be read on, and what can be done with it.
import { expect, test } from "../support/journey.ts";
import { accountWithChats, Album, everyLook, preferencesOf, Screen, scriptContent } from "./look.ts";

/** A desktop at 200 %. */
const zoomed = [[720, 450]] as const;
const otherPhones = [
  [844, 390],
  [844, 200],
  [320, 568],
] as const;

everyLook((look) => {
  const { content, phone } = look;
  const otherSizes = phone ? otherPhones : zoomed;

  test("turns", async ({ openAs, stack, upstream, calls }) => {
    calls.expect({ answer: content.titles.length + 3 });
    scriptContent(upstream, content);
    const album = new Album(look, "turn");
    const account = await accountWithChats(stack, content);
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);

    await chat.setThinking(true);
    await chat.send(content.question);
    await chat.finished();
    await expect(chat.lastReply.locator(".katex").first()).toBeVisible();
    await album.shoot(page, "turn");
    await page.reload();
    await expect(chat.lastReply.locator(".katex").first()).toBeVisible();
    await album.shoot(page, "met-again");
    await album.shoot(page, "in-forced-colours", { forcedColors: "active" });
    // Not on a phone: the emulation keeps the scale that paper had.
    if (!phone) await album.shoot(page, "on-paper", { media: "print" });
    await album.shootAt(page, "turn", otherSizes);

    upstream.script({
      match: { user: content.question, kind: "answer" },
      times: 1,
      answer: content.shortAnswer,
    });
    await chat.button("conversation.regenerate").click();
    await expect(chat.button("conversation.previousBranch")).toBeVisible();
    await chat.finished();
    await chat.lastReply.hover();
    await album.shoot(page, "branches");
    await chat.button("conversation.edit").click();
    await expect(page.getByRole("textbox", { name: chat.text("edit.label") })).toBeFocused();
    await album.shoot(page, "edit-box");
    await page.keyboard.press("Escape");
    await chat.button("feedback.dislike").click();
    await chat.button("feedback.misinformation").click();
    await album.shoot(page, "feedback");
    await album.shootAt(page, "feedback", otherSizes);
    await chat.button("feedback.submit").click();
    await expect(page.getByText(chat.text("feedback.thanks"))).toBeVisible();
    await album.shoot(page, "toast");

    await chat.startAnew();
    await chat.send(content.diagramQuestion);
    await chat.finished();
    await expect(chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") })).toBeVisible();
    await album.shoot(page, "diagram");
    await page.close();
  });

  test("HTML in the panel", async ({ openAs, upstream, calls, account, consoleWatch }) => {
    consoleWatch.allow(/Content Security Policy/);
    calls.expect({ answer: 1 });
    scriptContent(upstream, content);
    const album = new Album(look, "panel");
    const page = await openAs(account, { preferences: preferencesOf(look) });
    const chat = new Screen(page, look);
    await chat.send(content.htmlQuestion);
    await chat.finished();
    await chat.button("markdown.run").click();
    const panel = chat.sidePanel;
    await expect(panel.frameLocator("iframe").getByRole("heading")).toBeVisible();
    await expect(panel.getByRole("log")).toContainText("cdn.example");
    await album.shoot(page, "html");
    await album.shootAt(page, "html", phone ? [[844, 390]] : zoomed);
    await page.close();
  });
});
