import type { Locator, Page } from "@playwright/test";
import { textOf, type JourneyLocale } from "../texts.ts";

type RowAction =
  | "common.rename"
  | "common.delete"
  | "sidebar.pin"
  | "sidebar.unpin"
  | "sidebar.saveMarkdown"
  | "sidebar.saveJson";

/** The list of chats and the account's menu. */
export class Sidebar {
  readonly page: Page;
  readonly navigation: Locator;
  private readonly locale: JourneyLocale;

  constructor(page: Page, locale: JourneyLocale = "en_US") {
    this.page = page;
    this.locale = locale;
    this.navigation = page.getByRole("navigation", { name: this.text("sidebar.label") });
  }

  text(key: string, params?: Record<string, string | number>): string {
    return textOf(this.locale, key, params);
  }

  get rows(): Locator {
    return this.navigation.getByRole("listitem").getByRole("link");
  }

  row(title: string): Locator {
    return this.navigation.getByRole("link", { name: title, exact: true });
  }

  group(key: string): Locator {
    return this.navigation.getByRole("region", { name: this.text(key) });
  }

  /** What a row's title is written in. */
  get titleField(): Locator {
    return this.navigation.getByRole("listitem").getByRole("textbox", { name: this.text("header.title") });
  }

  /** Chooses an item of a row's menu. */
  async rowAction(title: string, key: RowAction): Promise<void> {
    await this.row(title).hover();
    await this.page.getByRole("button", { name: this.text("sidebar.rowMenu", { title }) }).click();
    await this.page.getByRole("menuitem", { name: this.text(key), exact: true }).click();
  }

  async accountAction(key: string): Promise<void> {
    await this.page.getByRole("button", { name: new RegExp(`^${this.text("profile.menu")}`) }).click();
    await this.page.getByRole("menuitem", { name: this.text(key) }).click();
  }
}
