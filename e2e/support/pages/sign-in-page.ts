import type { Page } from "@playwright/test";
import { textOf, type JourneyLocale } from "../texts.ts";

/** The forms before sign-in. */
export class SignInPage {
  readonly page: Page;
  private readonly locale: JourneyLocale;

  constructor(page: Page, locale: JourneyLocale = "en_US") {
    this.page = page;
    this.locale = locale;
  }

  async signUp(account: { email: string; password: string; code: () => string }): Promise<void> {
    await this.field("form.email").fill(account.email);
    await this.button("form.sendCode").click();
    await this.page.getByText(this.text("form.codeInLog")).waitFor();
    await this.field("form.code").fill(account.code());
    await this.field("form.password").fill(account.password);
    await this.field("form.confirmation").fill(account.password);
    await this.page.getByRole("checkbox").check();
    await this.button("form.signUp").click();
  }

  async signIn(account: { email: string; password: string }): Promise<void> {
    await this.field("form.identifier").fill(account.email);
    await this.field("form.password").fill(account.password);
    await this.button("form.signIn").click();
  }

  field(key: string) {
    return this.page.getByRole("textbox", { name: this.text(key), exact: true });
  }

  button(key: string) {
    return this.page.getByRole("button", { name: this.text(key), exact: true });
  }

  text(key: string): string {
    return textOf(this.locale, key);
  }
}
