// Whether the server has another version of the page (GET /version.txt, requirements 0§4, 0§9).
import { VERSION_PATH } from "@plumb/protocol/wire/site";
import type { Browser, Cancel } from "../browser.ts";

/** From the opening of the page to the first look (milliseconds). */
const FIRST_MS = 5000;
const EVERY_MS = 3_600_000;

export interface VersionCheckDeps {
  browser: Browser;
  /** The server's version, which is not this page's. */
  found(version: string): void;
}

export function createVersionCheck({ browser, found }: VersionCheckDeps) {
  let listening: Cancel[] = [];

  /** What the server has now; null where it cannot be known, which is logged. */
  async function latest(): Promise<string | null> {
    try {
      const answer = await browser.fetch(VERSION_PATH, { method: "GET", headers: {} });
      const text = (await answer.text()).trim();
      if (answer.ok && /^\d+\.\d+/.test(text)) return text;
      browser.log("the version check failed", { status: answer.status, text: text.slice(0, 80) });
    } catch (error) {
      browser.log("the version check failed", error);
    }
    return null;
  }

  async function look(): Promise<void> {
    const version = await latest();
    if (version !== null && version !== browser.appVersion) found(version);
  }

  return {
    latest,
    /** `openedAt` is when the page began (milliseconds since the epoch). */
    start(openedAt: number): void {
      listening = [
        browser.after(Math.max(0, openedAt + FIRST_MS - browser.now()), () => void look()),
        browser.every(EVERY_MS, () => void look()),
        browser.onVisible(() => void look()),
      ];
    },
    stop(): void {
      for (const cancel of listening) cancel();
      listening = [];
    },
  };
}
