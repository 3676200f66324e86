// What a delta says, in the forms that OpenAI-compatible endpoints give it.

/** A thought's texts are parts of a part; what is nested deeper says nothing. */
const MOST_DEPTH = 2;

export interface SaidInParts {
  reasoning: string;
  text: string;
}

/**
 * What a delta's `content` says that is a list of parts, as Mistral's API sends it: `{type: "text", text}` and
 * `{type: "thinking", thinking: parts}` (docs.mistral.ai, "Reasoning"). All else is left out. Joined: a list can have very
 * many parts, and is read in one task.
 */
export function saidInParts(parts: readonly unknown[]): SaidInParts {
  const said = { reasoning: "", text: "" };
  addParts(parts, said, "text", 0);
  return said;
}

function addParts(
  parts: readonly unknown[],
  said: SaidInParts,
  type: keyof SaidInParts,
  depth: number,
): void {
  if (depth === MOST_DEPTH) return;
  for (const part of parts) {
    if (typeof part !== "object" || part === null) continue;
    const { text, thinking } = part as { text?: unknown; thinking?: unknown };
    if (typeof text === "string") said[type] += text;
    if (typeof thinking === "string") said.reasoning += thinking;
    else if (Array.isArray(thinking)) addParts(thinking, said, "reasoning", depth + 1);
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
