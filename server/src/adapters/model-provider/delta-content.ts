// What a delta says, in the forms that OpenAI-compatible endpoints give it.

/** Parts nested deeper than a thought's texts say nothing. */
const MOST_DEPTH = 2;

/**
 * Calls `take` with each piece of a delta's `content` that is no plain string: a list of parts, as Mistral's API sends it,
 * `{type: "text", text}` and `{type: "thinking", thinking: parts}` (docs.mistral.ai, "Reasoning"). All else is left out.
 */
export function takeParts(content: unknown, take: (type: "reasoning" | "text", text: string) => void): void {
  takeNested(content, "text", take, 0);
}

function takeNested(
  parts: unknown,
  type: "reasoning" | "text",
  take: (type: "reasoning" | "text", text: string) => void,
  depth: number,
): void {
  if (!Array.isArray(parts) || depth === MOST_DEPTH) return;
  for (const part of parts as unknown[]) {
    if (typeof part !== "object" || part === null) continue;
    const { text, thinking } = part as { text?: unknown; thinking?: unknown };
    if (typeof text === "string" && text !== "") take(type, text);
    if (typeof thinking === "string" && thinking !== "") take("reasoning", thinking);
    else takeNested(thinking, "reasoning", take, depth + 1);
  }
}

interface Choice {
  index?: unknown;
}

/** The choice that is read, the first one by its number: several are sent by who was asked for one nevertheless. */
export function firstChoice<T extends Choice>(choices: readonly (T | null)[]): T | undefined {
  const isFirst = (choice: T | null | undefined): choice is T =>
    choice !== null && choice !== undefined && (typeof choice.index !== "number" || choice.index === 0);
  return isFirst(choices[0]) ? choices[0] : choices.find(isFirst);
}
