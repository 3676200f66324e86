// Pictures of every screen: three widths, both themes, both languages; a phone on its side and of 320 px, the colours of
// the system, paper; and the one in the README.
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ApiAccount } from "./support/api-account.ts";
import { brokenConnection } from "./support/checks.ts";
import { expect, test } from "./support/journey.ts";
import { ChatPage } from "./support/pages/chat-page.ts";
import { Sidebar } from "./support/pages/sidebar.ts";
import { SignInPage } from "./support/pages/sign-in-page.ts";
import { startRoughNetwork } from "./support/rough-network.ts";
import { screenContent } from "./support/screen-content.ts";
import type { ScriptedUpstream } from "./support/scripted-upstream.ts";
import type { JourneyLocale } from "./support/texts.ts";

const project = join(import.meta.dirname, "..");
const heights = { 1440: 900, 820: 1180, 390: 844 };

function scriptContent(upstream: ScriptedUpstream, locale: JourneyLocale): void {
  const content = screenContent[locale];
  upstream.script(
    { match: { user: content.question }, reasoning: content.thought, answer: content.answer },
    { match: { kind: "title", user: content.question }, answer: content.title },
    {
      match: { user: content.longQuestion, kind: "answer" },
      answer: `${content.longAnswer} …`,
      fault: { at: content.longAnswer.length, kind: "stall" },
    },
    { match: { user: content.diagramQuestion, kind: "answer" }, answer: content.diagramAnswer },
    { match: { kind: "title", user: content.longQuestion }, answer: content.longTitle },
    { match: { user: content.personaQuestion, kind: "answer" }, answer: content.personaAnswer },
    { match: { user: content.failingQuestion, kind: "answer" }, refusal: { kind: "http", status: 400 } },
  );
}

/** Resolves when every block of code has its colours and every diagram is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("article pre")].every((pre) => pre.querySelector("[data-scope]") !== null),
  );
  await page.evaluate(() =>
    Promise.all([...document.querySelectorAll<HTMLImageElement>("article img")].map((img) => img.decode())),
  );
}

async function accountWithChats(
  stack: Parameters<typeof ApiAccount.signUp>[0],
  locale: JourneyLocale,
): Promise<ApiAccount> {
  const account = await ApiAccount.signUp(stack);
  for (const title of screenContent[locale].titles.toReversed())
    await account.rename(await account.ask(title), title);
  return account;
}

for (const width of [1440, 820, 390] as const) {
  for (const theme of ["light", "dark"] as const) {
    for (const locale of ["en_US", "zh_CN"] as const) {
      const phone = width === 390;
      test.describe(`${width} ${theme} ${locale}`, () => {
        test.use({ viewport: { width, height: heights[width] }, isMobile: phone, hasTouch: phone });

        test("every screen", async ({ openAs, stack, upstream, calls, consoleWatch }) => {
          consoleWatch.allow(brokenConnection);
          const content = screenContent[locale];
          calls.expect({ answer: content.titles.length + 5 });
          scriptContent(upstream, locale);
          const folder = join(project, "test-results", "screens", `${width}-${theme}-${locale}`);
          let count = 0;
          const shoot = async (
            page: Page,
            name: string,
            media: { forcedColors?: "active" | "none"; media?: "print" | "screen" } = {},
          ): Promise<void> => {
            await page.emulateMedia({
              colorScheme: theme,
              forcedColors: "none",
              media: "screen",
              ...media,
            });
            await drawn(page);
            count += 1;
            const path = join(folder, `${String(count).padStart(2, "0")}-${name}.png`);
            await page.screenshot({ path, animations: "disabled", caret: "hide" });
            await page.emulateMedia({ forcedColors: "none", media: "screen" });
          };

          const guest = await openAs(null, { path: "/sign_in", preferences: { theme, locale } });
          const form = new SignInPage(guest, locale);
          await expect(form.button("form.signIn")).toBeVisible();
          await shoot(guest, "sign-in");
          await guest.goto("/sign_up");
          await form.button("form.signUp").click();
          await expect(form.field("form.email")).toHaveAttribute("aria-invalid", "true");
          await shoot(guest, "sign-up-with-errors");
          await guest.close();

          const account = await accountWithChats(stack, locale);
          const network = await startRoughNetwork(() => stack.server.port);
          const page = await openAs(account, { origin: network.origin, preferences: { theme, locale } });
          const chat = new ChatPage(page, locale);
          const sidebar = new Sidebar(page, locale);
          const openList = async (): Promise<void> => {
            if (width === 390) await chat.button("header.openSidebar").click();
            else if (await chat.button("sidebar.expand").isVisible())
              await chat.button("sidebar.expand").click();
            await expect(sidebar.row(content.titles[0] ?? "")).toBeVisible();
          };
          const send = async (prompt: string): Promise<void> => {
            await chat.composer.fill(prompt);
            await chat.sendButton.click();
          };
          const startAnew = async (): Promise<void> => {
            await page.goto("/");
            await expect(chat.composer).toBeVisible();
          };

          await expect(chat.composer).toBeVisible();
          await shoot(page, "welcome");
          await chat.composer.fill(content.longQuestion);
          await shoot(page, "composer-filled");
          await chat.sendButton.click();
          await chat.answerReaches(60);
          await shoot(page, "reply-running");
          network.weather.down = true;
          network.cut("end");
          await expect(page.getByText(chat.text("conversation.reconnecting"))).toBeVisible();
          await shoot(page, "reconnecting");
          network.weather.down = false;
          await expect(page.getByText(chat.text("conversation.reconnecting"))).toBeHidden();
          upstream.release();
          await chat.finished();

          await startAnew();
          await send(content.failingQuestion);
          await expect(chat.button("common.retry")).toBeVisible();
          await shoot(page, "reply-failed");

          await startAnew();
          await chat.setThinking(true);
          await send(content.question);
          await chat.finished();
          await expect(chat.lastReply.locator(".katex").first()).toBeVisible();
          await shoot(page, "turn");
          await page.reload();
          await expect(chat.lastReply.locator(".katex").first()).toBeVisible();
          await shoot(page, "turn-met-again");
          await shoot(page, "turn-in-forced-colours", { forcedColors: "active" });
          // Not on a phone: the emulation keeps the scale that paper had.
          if (!phone) await shoot(page, "turn-on-paper", { media: "print" });
          else {
            const sizes = [
              { width: 844, height: 390 },
              { width: 844, height: 200 },
              { width: 320, height: 568 },
            ];
            for (const size of sizes) {
              await page.setViewportSize(size);
              await shoot(page, `turn-at-${size.width}x${size.height}`);
            }
            await page.setViewportSize({ width, height: heights[width] });
          }

          await startAnew();
          await send(content.diagramQuestion);
          await chat.finished();
          await expect(
            chat.lastReply.getByRole("img", { name: chat.text("markdown.diagram") }),
          ).toBeVisible();
          await shoot(page, "diagram");

          await openList();
          await shoot(page, "list");
          await sidebar.rowAction(content.titles[0] ?? "", "common.rename");
          await expect(sidebar.titleField).toBeFocused();
          await shoot(page, "rename");
          await page.keyboard.press("Escape");
          await expect(sidebar.titleField).toHaveCount(0);
          if (!(await sidebar.navigation.isVisible())) await openList();
          await sidebar.rowAction(content.titles[0] ?? "", "common.delete");
          await expect(page.getByText(chat.text("sidebar.deleteTitle"))).toBeVisible();
          await shoot(page, "delete");
          await page.keyboard.press("Escape");
          await expect(page.getByText(chat.text("sidebar.deleteTitle"))).toHaveCount(0);
          if (!(await sidebar.navigation.isVisible())) await openList();
          await sidebar.accountAction("profile.settings");
          await expect(page.getByRole("radiogroup", { name: chat.text("settings.theme") })).toBeVisible();
          await shoot(page, "settings");
          await page.keyboard.press("Escape");

          for (const persona of content.personas) await account.createCharacter(persona);
          const { name = "" } = content.personas.at(-1) ?? {};
          await startAnew();
          await page.mouse.move(1, 1);
          await page.keyboard.press("Shift");
          await expect(page.getByRole("link", { name })).toBeVisible();
          await shoot(page, "welcome-with-roles");
          if (!(await sidebar.navigation.isVisible())) await openList();
          await sidebar.accountAction("profile.roles");
          await expect(
            page.getByRole("link", { name: chat.text("persona.chatWith", { name }) }),
          ).toBeVisible();
          await shoot(page, "roles");
          await page.getByRole("button", { name: chat.text("persona.editNamed", { name }) }).click();
          await page.getByRole("textbox", { name: chat.text("persona.name") }).fill("");
          await page.getByRole("button", { name: chat.text("persona.save") }).click();
          await expect(page.getByText(chat.text("persona.nameEmpty"))).toBeVisible();
          await shoot(page, "role-with-an-error");
          await page.getByRole("button", { name: chat.text("common.cancel") }).click();
          await page.getByRole("button", { name: chat.text("persona.deleteNamed", { name }) }).click();
          await expect(page.getByText(chat.text("persona.deleteTitle"))).toBeVisible();
          await shoot(page, "delete-role");
          await page.keyboard.press("Escape");
          await page.getByRole("link", { name: chat.text("persona.chatWith", { name }) }).click();
          await expect(page.getByRole("heading", { name })).toBeVisible();
          await shoot(page, "greeting");
          await send(content.personaQuestion);
          await chat.finished();
          await shoot(page, "turn-with-a-role");
          const session = (await account.sessions()).find(({ character_id: id }) => id !== null);
          await account.deleteCharacter(session?.character_id ?? "");
          await page.reload();
          await expect(page.getByText(chat.text("characterDeleted"))).toBeVisible();
          await shoot(page, "deleted-role");
          await page.close();
          await network.close();
        });
      });
    }
  }
}

test.describe("README", () => {
  test.use({ viewport: { width: 1200, height: 1060 } });

  test("the picture", async ({ openAs, stack, upstream, calls }) => {
    const content = screenContent.en_US;
    calls.expect({ answer: content.titles.length + 1 });
    scriptContent(upstream, "en_US");
    const account = await accountWithChats(stack, "en_US");
    const chat = new ChatPage(await openAs(account, { preferences: { theme: "light" } }));
    await chat.setThinking(true);
    await chat.send(content.question);
    await chat.finished();
    await chat.page.reload();
    await expect(chat.lastReply.locator(".katex").first()).toBeVisible();
    await chat.page.mouse.move(0, 0);
    await drawn(chat.page);
    await chat.page.screenshot({
      path: join(project, "docs", "screenshot.png"),
      animations: "disabled",
      caret: "hide",
    });
  });
});
