/// <reference lib="es2024.string" />
// Answers without any model, so that a fresh installation can be tried: deterministic, offline, and honest about it.
import { firstWordsTitle } from "@plumb/protocol/rules/title-rules";
import { setTimeout as sleep } from "node:timers/promises";
import type { ModelChunk, ModelInfo, ModelProvider, ModelRequest } from "../../ports/model-provider.ts";
import { abortError } from "./abort-error.ts";
import { demoTexts } from "./demo-texts.ts";

/** About 60 chunks a second. */
const PACE_MS = 16;
const QUOTED_CHARACTERS = 60;
const WANTS_ALL =
  /show|demo|example|everything|what can you|render|table|code|math|formula|diagram|mermaid|markdown|演示|展示|示例|例子|全部|能做|可以做|表格|代码|公式|图/i;

export interface DemoOptions {
  contextTokens: number;
  /** Milliseconds between chunks; 0 only yields to other work. */
  paceMs?: number;
}

function lastQuestion(request: ModelRequest): string {
  return request.messages.findLast((message) => message.role === "user")?.content ?? "";
}

function oneLine(text: string, limit: number): string {
  const characters = Array.from(text.replace(/\s+/g, " ").trim());
  return characters.length > limit ? `${characters.slice(0, limit).join("")}…` : characters.join("");
}

/** The whole reply to a request; a prefix does not change it. */
export function demoReply(request: ModelRequest): { reasoning: string; answer: string } {
  const question = lastQuestion(request);
  if (request.purpose === "title") {
    const first = request.messages.find((message) => message.role === "user")?.content ?? "";
    return { reasoning: "", answer: firstWordsTitle(first) || "Demo" };
  }
  // It plans nothing: the question itself is looked up.
  if (request.purpose === "plan") return { reasoning: "", answer: "" };
  const texts = demoTexts(question);
  const write = WANTS_ALL.test(question) || question.length > 200 ? texts.long : texts.short;
  // Marks of the question must not shape the answer.
  const quoted = oneLine(question, QUOTED_CHARACTERS).replace(/[*_`~$|<>[\]\\#]/g, "");
  return { reasoning: request.thinking ? texts.thought : "", answer: write(quoted) };
}

function pieces(type: "reasoning" | "text", text: string): ModelChunk[] {
  return (text.toWellFormed().match(/\p{Script=Han}{1,2}|\s?[^\s\p{Script=Han}]{1,8}|\s+/gu) ?? []).map(
    (piece) => ({
      type,
      text: piece,
    }),
  );
}

/** What is left of a text after its known beginning; the whole text when something else was known. */
function rest(whole: string, known: string): string {
  return whole.startsWith(known) ? whole.slice(known.length) : whole;
}

/** See ModelProvider; continues exactly from any prefix of its own reply. */
export class DemoModel implements ModelProvider {
  private readonly options: DemoOptions;

  constructor(options: DemoOptions) {
    this.options = options;
  }

  async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk[]> {
    const { reasoning, answer } = demoReply(request);
    const known = request.prefix ?? { reasoning: "", answer: "" };
    const thought = known.answer === "" ? pieces("reasoning", rest(reasoning, known.reasoning)) : [];
    const chunks = [...thought, ...pieces("text", rest(answer, known.answer))];
    for (const chunk of chunks.slice(0, request.maxTokens ?? chunks.length)) {
      await this.pause(signal);
      yield [chunk];
    }
    await this.pause(signal);
    const promptTokens = Math.ceil(
      request.messages.reduce((sum, message) => sum + message.content.length, 0) / 4,
    );
    const cut = request.maxTokens !== undefined && chunks.length > request.maxTokens;
    yield [
      {
        type: "usage",
        promptTokens,
        completionTokens: Math.min(chunks.length, request.maxTokens ?? Infinity),
      },
      { type: "end", reason: cut ? "length" : "stop" },
    ];
  }

  info(): ModelInfo {
    const { contextTokens } = this.options;
    return { name: "Demo (not an AI)", kind: "demo", contextTokens, thinking: true, continuation: "prefix" };
  }

  offered(): readonly [] {
    return [];
  }

  async health(): Promise<"ok"> {
    return "ok";
  }

  async close(): Promise<void> {
    // Nothing runs in the background.
  }

  private async pause(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw abortError(signal);
    try {
      await sleep(this.options.paceMs ?? PACE_MS, undefined, { signal });
    } catch (error) {
      throw signal.aborted ? abortError(signal) : error;
    }
  }
}
