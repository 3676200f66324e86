// What every set of pictures shares: three widths, both languages, and how a picture is taken, in both themes.
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ApiAccount } from "../support/api-account.ts";
import { expect, test } from "../support/journey.ts";
import { ChatPage } from "../support/pages/chat-page.ts";
import { Sidebar } from "../support/pages/sidebar.ts";
import { screenContent, type ScreenContent } from "../support/screen-content.ts";
import type { ScriptedUpstream } from "../support/scripted-upstream.ts";
import type { SingleStack } from "../support/start-stack.ts";
import type { JourneyLocale } from "../support/texts.ts";

export const project = join(import.meta.dirname, "..", "..");

const sizes = { 1440: 900, 820: 1180, 390: 844 };

/** One of the six ways through every screen; each picture is taken in both themes, which makes twelve looks. */
export interface Look {
  width: keyof typeof sizes;
  height: number;
  locale: JourneyLocale;
  phone: boolean;
  content: ScreenContent;
}

/** Declares the same tests for each of the six ways, each under its name: "390 zh_CN". */
export function everyLook(declare: (look: Look) => void): void {
  for (const width of [1440, 820, 390] as const) {
    for (const locale of ["en_US", "zh_CN"] as const) {
      const phone = width === 390;
      const height = sizes[width];
      test.describe(`${width} ${locale}`, () => {
        test.use({ viewport: { width, height }, isMobile: phone, hasTouch: phone });
        declare({ width, height, locale, phone, content: screenContent[locale] });
      });
    }
  }
}

/** Has the model say what stands on the screens. */
export function scriptContent(upstream: ScriptedUpstream, content: ScreenContent): void {
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
    { match: { user: content.htmlQuestion, kind: "answer" }, answer: content.htmlAnswer },
    { match: { user: content.failingQuestion, kind: "answer" }, refusal: { kind: "http", status: 400 } },
  );
}

/** An account with a few older chats; each has cost one call to the model. */
export async function accountWithChats(stack: SingleStack, { titles }: ScreenContent): Promise<ApiAccount> {
  const account = await ApiAccount.signUp(stack);
  for (const title of titles.toReversed()) await account.rename(await account.ask(title), title);
  return account;
}

/** Resolves when every block of code has its colours and every diagram is drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll("article pre")].every(
        (pre) => pre.querySelector("[data-scope]") !== null,
      ) && document.querySelector("article [style*='--own-width'] > svg") === null,
    undefined,
    { timeout: 60_000 },
  );
  await page.evaluate(() =>
    Promise.all([...document.querySelectorAll<HTMLImageElement>("article img")].map((img) => img.decode())),
  );
}

/** Turns the page to a theme: resolves when its diagrams are drawn in it. */
async function turnTo(page: Page, theme: "light" | "dark"): Promise<void> {
  const diagrams = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLImageElement>("article [role=group] > img")].map(({ src }) => src),
    );
  const turns = await page.evaluate(
    (dark) => matchMedia("(prefers-color-scheme: dark)").matches !== dark,
    theme === "dark",
  );
  const before = await diagrams();
  await page.emulateMedia({ colorScheme: theme });
  if (!turns) return;
  await expect.poll(async () => (await diagrams()).some((src) => before.includes(src))).toBe(false);
}

/** Takes pictures into a folder of the look's, numbered in the order in which a set takes them. */
export class Album {
  private readonly look: Look;
  private readonly set: string;
  private count = 0;

  constructor(look: Look, set: string) {
    this.look = look;
    this.set = set;
  }

  async shoot(
    page: Page,
    name: string,
    media: { forcedColors?: "active" | "none"; media?: "print" | "screen" } = {},
  ): Promise<void> {
    this.count += 1;
    const { width, locale } = this.look;
    const file = `${this.set}-${String(this.count).padStart(2, "0")}-${name}.png`;
    // Paper is light.
    for (const theme of media.media === "print" ? (["light"] as const) : (["light", "dark"] as const)) {
      await turnTo(page, theme);
      await page.emulateMedia({ forcedColors: "none", media: "screen", ...media });
      await drawn(page);
      const folder = join(project, "test-results", "screens", `${width}-${theme}-${locale}`);
      await page.screenshot({ path: join(folder, file), animations: "disabled", caret: "hide" });
    }
    await page.emulateMedia({ forcedColors: "none", media: "screen" });
    await turnTo(page, "light");
  }

  /** The same at other sizes of the window, which then has its own again. */
  async shootAt(page: Page, name: string, others: readonly (readonly [number, number])[]): Promise<void> {
    for (const [width, height] of others) {
      await page.setViewportSize({ width, height });
      await this.shoot(page, `${name}-at-${width}x${height}`);
    }
    await page.setViewportSize({ width: this.look.width, height: this.look.height });
  }
}

/** A signed-in page with the ways through it that are other ones on a phone. */
export class Screen extends ChatPage {
  readonly sidebar: Sidebar;
  private readonly look: Look;

  constructor(page: Page, look: Look) {
    super(page, look.locale);
    this.look = look;
    this.sidebar = new Sidebar(page, look.locale);
  }

  /** The list of chats is on show, whatever it was before. */
  async openList(): Promise<void> {
    await expect(this.sidebar.navigation.or(this.button("header.openSidebar")).first()).toBeVisible();
    if (await this.sidebar.navigation.isVisible()) {
      if (await this.button("sidebar.expand").isVisible()) await this.button("sidebar.expand").click();
    } else await this.button("header.openSidebar").click();
    await expect(this.button(this.look.phone ? "sidebar.close" : "sidebar.collapse")).toBeVisible();
  }

  /** Sends by the button, which is there on every device. */
  override async send(prompt: string): Promise<void> {
    await this.composer.fill(prompt);
    await this.sendButton.click();
  }

  async startAnew(): Promise<void> {
    await this.page.goto("/");
    await expect(this.composer).toBeVisible();
  }
}

/** The theme is the system's, which a picture sets. */
export const preferencesOf = ({ locale }: Look) => ({ theme: "system", locale });
