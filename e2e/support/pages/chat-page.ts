import { expect, type Locator, type Page } from "@playwright/test";
import { textOf, type JourneyLocale } from "../texts.ts";

/** Home and sessions: composer, turns, header. */
export class ChatPage {
  readonly page: Page;
  readonly composer: Locator;
  readonly sendButton: Locator;
  readonly conversation: Locator;
  readonly replies: Locator;
  readonly questions: Locator;
  private readonly locale: JourneyLocale;

  constructor(page: Page, locale: JourneyLocale = "en_US") {
    this.page = page;
    this.locale = locale;
    this.composer = page.getByRole("textbox", { name: this.text("composer.label") });
    this.sendButton = page.locator("button[data-send]");
    this.conversation = page.getByRole("region", { name: this.text("conversation.label") });
    this.replies = page.getByRole("article", {
      name: this.text("conversation.assistantMessage"),
      exact: true,
    });
    this.questions = page.getByRole("article", { name: this.text("conversation.userMessage"), exact: true });
  }

  text(key: string, params?: Record<string, string | number>): string {
    return textOf(this.locale, key, params);
  }

  button(key: string): Locator {
    return this.page.getByRole("button", { name: this.text(key), exact: true });
  }

  /** Types and sends with Enter. */
  async send(prompt: string): Promise<void> {
    await this.composer.fill(prompt);
    await this.composer.press("Enter");
  }

  /** The panel at the right side; a dialog where it lies over the page. */
  get sidePanel(): Locator {
    return this.page.locator("section:is([role=complementary], [role=dialog])");
  }

  get lastReply(): Locator {
    return this.replies.last();
  }

  /** The rendered paragraphs of the last reply without its thought. */
  async answer(): Promise<string> {
    return this.lastReply.evaluate((article) =>
      [...article.querySelectorAll("p")]
        .filter((paragraph) => paragraph.closest("section") === null && paragraph.parentElement !== article)
        .map((paragraph) => paragraph.textContent)
        .join("\n\n"),
    );
  }

  /** Waits until the last reply shows at least so many characters of its answer. */
  async answerReaches(characters: number): Promise<void> {
    await expect
      .poll(async () => (await this.answer()).length, { intervals: [20] })
      .toBeGreaterThanOrEqual(characters);
  }

  /** Waits until nothing is being written any more. */
  async finished(timeout = 45_000): Promise<void> {
    await expect(this.lastReply).toHaveAttribute("aria-busy", "false", { timeout });
    await expect(this.sendButton).not.toHaveAttribute("data-send", /stop|loading/);
  }

  /** The id of the session on show. */
  async sessionId(): Promise<string> {
    await expect(this.page).toHaveURL(/\/a\/[^/]+\/s\/[0-9a-f-]{36}$/);
    return new URL(this.page.url()).pathname.split("/").at(-1) ?? "";
  }

  async setThinking(on: boolean): Promise<void> {
    const toggle = this.button("composer.thinking");
    if ((await toggle.getAttribute("aria-pressed")) !== String(on)) await toggle.click();
  }
}

/** Text as it can be compared between a screen and its source: blanks and line ends count as one blank. */
export function plain(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
