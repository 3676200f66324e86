// The title of a session: made by the model beside the reply, or the first words of the prompt (wire-contract.md §4.6 "Title").
import { firstWordsTitle, fitTitle } from "@plumb/protocol/rules/title-rules";
import type { ModelProvider } from "../../ports/model-provider.ts";

const TITLE_TOKENS = 64;
/** More of a long prompt tells a title nothing. */
const PROMPT_CHARS = 2000;
/** A model that talks on is cut: no title is longer. */
const ANSWER_CHARS = 400;

const instruction = [
  "Write a title for a conversation that begins with the message below.",
  "At most six words, in the language of the message, no quotation marks, no full stop. Answer with the title alone.",
].join(" ");

/** Asks the model; null when it fails or says nothing. Never throws, but ends with `signal`. */
export async function generateTitle(
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
      for (const chunk of chunks) if (chunk.type === "text") answer += chunk.text;
      if (answer.length > ANSWER_CHARS) break;
    }
  } catch {
    // A title is worth no error: the first words of the prompt stand in for it.
    return null;
  }
  return cleanTitle(answer) || null;
}

/** Without the quotation marks and headings models like to add. */
function cleanTitle(answer: string): string {
  const line = answer.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  return fitTitle(line.replace(/^[\s#*"'“”‘’「『《]+|[\s*"'“”‘’」』》.。]+$/gu, ""));
}

export function fallbackTitle(prompt: string): string {
  return firstWordsTitle(prompt);
}
