// The title of a session: made by the model beside the reply, or the first words of the prompt (wire-contract.md §4.6 "Title").
import { firstWordsTitle, titleInAnswer } from "@plumb/protocol/rules/title-rules";
import type { ContentFilter } from "../../ports/content-filter.ts";
import type { Clock } from "../../ports/clock.ts";
import { type ModelProvider, withChunks } from "../../ports/model-provider.ts";
import { screenText } from "../moderation/screen-text.ts";

const TITLE_TOKENS = 64;
/** More of a long prompt tells a title nothing. */
const PROMPT_CHARS = 2000;
/** A model that talks on is cut: no title is longer. */
const ANSWER_CHARS = 400;

const instruction = [
  "Write a title for a conversation that begins with the message below.",
  "At most six words, in the language of the message, no quotation marks, no full stop. Answer with the title alone.",
].join(" ");

/** The title of one reply's session while it is made. */
export class TitleMaker {
  readonly #make: (signal: AbortSignal) => Promise<string | null>;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  #title: Promise<string | null> | null = null;

  /**
   * @param loadPrompt the prompt of the request
   * @param filter what the title must pass
   */
  constructor(
    model: ModelProvider,
    clock: Clock,
    loadPrompt: () => Promise<string>,
    filter: ContentFilter | null,
  ) {
    this.#clock = clock;
    this.#make = async (signal) => {
      const title = await generateTitle(model, await loadPrompt(), signal);
      if (title === null || filter === null) return title;
      // The first words of a prompt that was let through stand in for one that is not known to be fit.
      return (await screenText(filter, title, signal)) === "allowed" ? title : null;
    };
  }

  /** To be called once the answer has begun: a model that takes one call at a time must not make the title before it. */
  begin(): void {
    this.#title ??= this.#make(this.#abort.signal).catch(() => null);
  }

  /** The title, or null when there is none after `ms`. */
  async within(ms: number): Promise<string | null> {
    let cancel = (): void => {};
    const late = new Promise<null>((resolve) => {
      cancel = this.#clock.after(ms, () => resolve(null));
    });
    const title = await Promise.race([this.#title, late]);
    cancel();
    return title;
  }

  abort(): void {
    this.#abort.abort();
  }
}

/** Asks the model; null when it fails or says nothing. Never throws, but ends with `signal`. */
async function generateTitle(
  model: ModelProvider,
  prompt: string,
  signal: AbortSignal,
): Promise<string | null> {
  let answer = "";
  try {
    const request = {
      messages: [
        { role: "system" as const, content: instruction },
        { role: "user" as const, content: prompt.slice(0, PROMPT_CHARS) },
      ],
      purpose: "title" as const,
      thinking: false,
      maxTokens: TITLE_TOKENS,
    };
    for await (const chunks of model.generate(request, signal)) {
      answer = withChunks(answer, chunks);
      if (answer.length > ANSWER_CHARS) break;
    }
  } catch {
    // A title is worth no error: the first words of the prompt stand in for it.
    return null;
  }
  return titleInAnswer(answer) || null;
}

export function fallbackTitle(prompt: string): string {
  return firstWordsTitle(prompt);
}
