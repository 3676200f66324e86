// What to look up for a prompt: one short call to the model. Whatever it answers, something is looked up.
import type { Message } from "@plumb/protocol/conversation/message";
import { isFragment } from "@plumb/protocol/conversation/fragment";
import { type ModelProvider, withChunks } from "../../ports/model-provider.ts";

export const MOST_QUERIES = 3;
const QUERY_CHARS = 200;
/** A plan needs few, but a model that cannot stop thinking needs some before it. */
const PLAN_TOKENS = 512;
/** A model that talks on is cut. */
const ANSWER_CHARS = 2000;
/** A model that does not come to an end is not waited for. */
const PLAN_MS = 20_000;
/** Of the conversation: the last message whole, or nearly; of the earlier ones their beginnings. */
const PROMPT_CHARS = 4000;
const EARLIER_CHARS = 600;
const BRANCH_CHARS = 24_000;

export interface PlanParts {
  model: ModelProvider;
  /** Id of the model that answers. */
  modelId: string;
  /** The messages from the root down to the request. */
  branch: readonly Message[];
  /** Wall clock, ms. */
  now: number;
}

/** One to three queries, distinct, each a line. Throws only the reason of `signal`. */
export async function planQueries(parts: PlanParts, signal: AbortSignal): Promise<string[]> {
  const prompt = wordsOf(parts.branch.at(-1));
  const planned = readQueries(await ask(parts, prompt, signal));
  return planned.length > 0 ? planned : [asQuery(prompt)];
}

/** The queries of an answer: those of the JSON list in it. Empty when there is none. */
export function readQueries(answer: string): string[] {
  const list = /\[[^[\]]*\]/u.exec(answer)?.[0];
  if (list === undefined) return [];
  try {
    const parsed = JSON.parse(list) as unknown[];
    const queries = parsed.filter((query) => typeof query === "string").map(asQuery);
    return [...new Set(queries.filter((query) => query !== ""))].slice(0, MOST_QUERIES);
  } catch {
    return [];
  }
}

/** A text as a query: one line, no half characters, not too long. */
export function asQuery(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return Array.from(line.slice(0, QUERY_CHARS * 2))
    .slice(0, QUERY_CHARS)
    .join("");
}

/** "" when the model fails, or takes too long: a search is worth no failed reply. */
async function ask(
  { model, modelId, branch, now }: PlanParts,
  prompt: string,
  signal: AbortSignal,
): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PLAN_MS)]);
  let answer = "";
  try {
    const request = {
      messages: [
        { role: "system" as const, content: instruction(now) },
        {
          role: "user" as const,
          content: `${conversation(branch.slice(0, -1))}Last message:\n${prompt.slice(0, PROMPT_CHARS)}`,
        },
      ],
      purpose: "plan" as const,
      thinking: false,
      model: modelId,
      maxTokens: PLAN_TOKENS,
    };
    for await (const chunks of model.generate(request, limit)) {
      answer = withChunks(answer, chunks);
      if (answer.length > ANSWER_CHARS) break;
    }
  } catch {
    signal.throwIfAborted();
  }
  return answer;
}

function instruction(now: number): string {
  return [
    `Today is ${dayOf(now)}.`,
    "Write what should be typed into a web search engine to answer the last message of the conversation below:",
    `one to ${MOST_QUERIES} short queries that each ask for something else, in the language of that message.`,
    "Each query stands for itself: put in what the message refers to. Name the year where it matters.",
    'Answer with a JSON list of strings and nothing else, such as ["first query", "second query"].',
  ].join(" ");
}

/** A day as models know them, such as "2026-03-01 (Sunday)". UTC. */
export function dayOf(now: number): string {
  const date = new Date(now);
  const weekday = date.toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
  return `${date.toISOString().slice(0, 10)} (${weekday})`;
}

function conversation(earlier: readonly Message[]): string {
  const lines = earlier.map((message) => {
    const words = wordsOf(message);
    const cut = words.length > EARLIER_CHARS ? `${words.slice(0, EARLIER_CHARS)}…` : words;
    return `${message.role === "USER" ? "User" : "Assistant"}: ${cut}`;
  });
  const text = lines.join("\n").slice(-BRANCH_CHARS);
  return text === "" ? "" : `Conversation so far:\n${text}\n\n`;
}

function wordsOf(message: Message | undefined): string {
  return (message?.fragments ?? [])
    .map((part) => (isFragment(part, "REQUEST") || isFragment(part, "RESPONSE") ? part.content : ""))
    .join("");
}
