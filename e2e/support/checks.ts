// What must hold after every journey, whatever it was about.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import type { ScriptedUpstream } from "./scripted-upstream.ts";

/** Messages of a page whose connection was broken on purpose. */
export const brokenConnection =
  /net::ERR_(INTERNET_DISCONNECTED|CONNECTION_(REFUSED|RESET|CLOSED)|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|NETWORK_CHANGED|SOCKET_NOT_CONNECTED)/;
/** A refusal that the journey provoked, as Chromium tells it. */
export const refusedWith = (status: number): RegExp =>
  new RegExp(`Failed to load resource: the server responded with a status of ${status} `);

/** Errors on the console and exceptions of every page that is watched. */
export class ConsoleWatch {
  private readonly errors: string[] = [];
  private readonly allowed: RegExp[] = [];

  watch(page: Page): void {
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => this.errors.push(`uncaught ${error.stack ?? error.message}`));
  }

  /** Says beforehand what a deliberate disturbance will write. */
  allow(...patterns: RegExp[]): void {
    this.allowed.push(...patterns);
  }

  check(): void {
    const unexpected = this.errors.filter((text) => !this.allowed.some((pattern) => pattern.test(text)));
    expect(unexpected, "errors on the console").toEqual([]);
  }
}

export interface ExpectedCalls {
  answer: number;
  continuation: number;
}

/** The calls that reached the scripted upstream since the watch began, titles apart. */
export class UpstreamWatch {
  private expected: ExpectedCalls = { answer: 0, continuation: 0 };
  private readonly upstream: ScriptedUpstream;
  private readonly begin: number;

  constructor(upstream: ScriptedUpstream) {
    this.upstream = upstream;
    this.begin = upstream.requests.length;
  }

  /** How many calls the journey will make in all. */
  expect(calls: Partial<ExpectedCalls>): void {
    this.expected = { ...this.expected, ...calls };
  }

  get calls() {
    return this.upstream.requests.slice(this.begin);
  }

  check(): void {
    const count = (kind: string): number => this.calls.filter((call) => call.kind === kind).length;
    const seen = { answer: count("answer"), continuation: count("continuation") };
    expect(seen, "calls that reached the model").toEqual(this.expected);
  }
}

const checked = new Set<string>();

/** Not one violation of axe's rules, in both themes. A screen of the same name is looked at once per run. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const name = `${screen} at ${page.viewportSize()?.width ?? 0}`;
  if (checked.has(name)) return;
  checked.add(name);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
    }));
    expect(found, `axe on ${screen}, ${colorScheme}`).toEqual([]);
  }
}
