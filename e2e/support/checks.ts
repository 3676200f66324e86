// What must hold after every journey, whatever it was about.
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
