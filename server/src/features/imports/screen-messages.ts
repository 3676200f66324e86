// What must not be said here comes in no other way either: what the operator's filter refuses of a conversation is withdrawn as
// if it had been said here (wire-contract.md §17.3, §19.6; decisions/0050).
import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import { finishReasonText } from "../../platform/texts.ts";
import type { ContentFilter } from "../../ports/content-filter.ts";
import type { MessageRecord } from "../../ports/conversation-reader.ts";
import { screenText, type WhenUnknown } from "../moderation/screen-text.ts";
import type { ImportsContext } from "./imports-context.ts";

export interface ReadMessage {
  message: MessageRecord;
  /** JSON of Fragment[]. */
  fragments: string;
}

/** The filter gives no verdict, and nothing may pass without one: the import goes on when it is back. */
export class FilterAway extends Error {}

interface ScreenDeps {
  filter: ContentFilter | null;
  whenUnknown: WhenUnknown;
  locale: Locale;
  signal: AbortSignal;
}

/** What the texts of an import are looked at with. */
export function screenDeps({
  context: { config, ports },
  job: { signal },
  locale,
}: {
  context: Pick<ImportsContext, "config" | "ports">;
  job: Pick<HeldJob, "signal">;
  locale: Locale;
}): ScreenDeps {
  return { filter: ports.contentFilter, whenUnknown: config.contentFilter.whenUnknown, locale, signal };
}

/** Rejects with FilterAway where an import would wait for the filter. */
export async function expectFilter(deps: ScreenDeps): Promise<void> {
  await new ConversationScreen(deps, null).mayBeSaid("?");
}

/** The texts of one conversation. Its functions throw FilterAway, and what `signal` does. */
export class ConversationScreen {
  readonly #deps: ScreenDeps;
  /** Prompts that must not be said: no reply to one is shown. */
  readonly #refused = new Set<number>();
  #title: string | null;
  #isTitleSeen = false;

  /** The title is looked at with the first messages. */
  constructor(deps: ScreenDeps, title: string | null) {
    this.#deps = deps;
    this.#title = title;
  }

  /** Null where it must not be said. */
  get title(): string | null {
    return this.#title;
  }

  /** True without a filter. */
  get isOff(): boolean {
    return this.#deps.filter === null;
  }

  async mayBeSaid(text: string): Promise<boolean> {
    const { filter, whenUnknown, signal } = this.#deps;
    if (filter === null || text.trim() === "") return true;
    const verdict = await screenText(filter, text, signal);
    signal.throwIfAborted();
    if (verdict === "unknown" && whenUnknown === "block") throw new FilterAway();
    return verdict !== "refused";
  }

  /** The messages, some of them withdrawn. They follow those of earlier calls, and parents stand before their children. */
  async screen(messages: readonly ReadMessage[]): Promise<readonly ReadMessage[]> {
    if (this.isOff) return messages;
    const texts = messages.map(({ fragments }) => textsIn(fragments));
    const title = this.#isTitleSeen ? "" : (this.#title ?? "");
    // Mostly all is well: an endpoint is asked once for many.
    const isWell = await this.mayBeSaid([title, ...texts.flat()].join("\n\n"));
    this.#isTitleSeen = true;
    if (!isWell && !(await this.mayBeSaid(title))) this.#title = null;
    const screened: ReadMessage[] = [];
    for (const [index, read] of messages.entries()) {
      const { id, parent, role } = read.message;
      const isRefused = !isWell && !(await this.#mayAllBeSaid(texts[index] ?? []));
      if (role === "USER") {
        if (isRefused) this.#refused.add(id);
        screened.push(read);
      } else screened.push(isRefused || this.#refused.has(parent ?? 0) ? this.#withdrawn(read) : read);
    }
    return screened;
  }

  async #mayAllBeSaid(texts: readonly string[]): Promise<boolean> {
    for (const text of texts) if (!(await this.mayBeSaid(text))) return false;
    return true;
  }

  #withdrawn({ message }: ReadMessage): ReadMessage {
    const content = finishReasonText("content_filter", this.#deps.locale);
    const template: Fragment = { id: 2, type: "TEMPLATE_RESPONSE", content };
    return {
      message: { ...message, status: "CONTENT_FILTER", stopped: false, banRegenerate: true },
      fragments: JSON.stringify([template]),
    };
  }
}

/** Thought, answer and what else of a message is words of its writer: not what a search has found. */
function textsIn(fragments: string): string[] {
  return (JSON.parse(fragments) as Fragment[]).flatMap((fragment) => {
    const content = "content" in fragment ? fragment.content : null;
    return fragment.type === "SEARCH" || typeof content !== "string" ? [] : [content];
  });
}
