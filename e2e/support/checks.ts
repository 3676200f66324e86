// What must hold after every journey, whatever it was about.
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import type { RecordedRequest, ScriptedUpstream } from "./scripted-upstream.ts";

/** Messages of a page whose connection was broken on purpose. */
export const brokenConnection =
  /net::ERR_(INTERNET_DISCONNECTED|CONNECTION_(REFUSED|RESET|CLOSED)|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|NETWORK_CHANGED|SOCKET_NOT_CONNECTED)/;
/** A refusal that the journey provoked, as Chromium logs it. */
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

  /** Allows the console messages that a deliberate disturbance will cause. */
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

  /** The first call for an answer. */
  get firstAnswer(): RecordedRequest | undefined {
    return this.calls.find(({ kind }) => kind === "answer");
  }

  get calls(): RecordedRequest[] {
    return this.upstream.requests.slice(this.begin);
  }

  count(kind: keyof ExpectedCalls): number {
    return this.calls.filter((call) => call.kind === kind).length;
  }

  check(): void {
    const seen = { answer: this.count("answer"), continuation: this.count("continuation") };
    expect(seen, "calls that reached the model").toEqual(this.expected);
  }
}

const checked = new Set<string>();

/** What a screen is made of: the same parts in other numbers and with other words are the same screen to axe. */
function partsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const parts = [...document.querySelectorAll("body *")].map((element) => {
      const states = [
        "role",
        "type",
        "aria-expanded",
        "aria-pressed",
        "aria-current",
        "aria-invalid",
        "aria-disabled",
      ];
      const state = states.map((name) => element.getAttribute(name)).join();
      return `${element.tagName}.${element.getAttribute("class") ?? ""} ${state}`;
    });
    return `${window.innerWidth} ${[...new Set(parts)].sort().join("|")}`;
  });
}

/** The colours of the other theme fade in; axe would judge what is between the two. Endless animations are not waited for. */
async function colorsAreThere(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Transitions begin with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const fades = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    // One that is cancelled has ended too.
    await Promise.allSettled(fades.map((fade) => fade.finished));
  });
}

/** Not one violation of axe's rules, in both themes. Screens made of the same parts are looked at once per run. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const parts = await partsOf(page);
  if (checked.has(parts)) return;
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await colorsAreThere(page);
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
    }));
    expect(found, `axe on ${screen}, ${colorScheme}`).toEqual([]);
  }
  checked.add(parts);
}
