import { join } from "node:path";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { screenContent } from "../support/screen-content.ts";
import { accountWithChats, drawn, project, scriptContent } from "./look.ts";

test.describe("README", () => {
  test.use({ viewport: { width: 1200, height: 1060 } });

  test("the picture", async ({ openAs, stack, upstream, calls }) => {
    const content = screenContent.en_US;
    calls.expect({ answer: content.titles.length + 1 });
    scriptContent(upstream, content);
    const account = await accountWithChats(stack, content);
    const chat = new ChatPage(await openAs(account, { preferences: { theme: "light" } }));
    await chat.setThinking(true);
    await chat.send(content.question);
    await chat.finished();
    await chat.page.reload();
    await expect(chat.lastReply.locator(".katex").first()).toBeVisible();
    await chat.page.mouse.move(0, 0);
    await drawn(chat.page);
    const path = join(project, "docs", "screenshot.png");
    await chat.page.screenshot({ path, animations: "disabled", caret: "hide" });
  });
});
