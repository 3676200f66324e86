/// <reference lib="es2024.string" />
// Many tokenizers drop the space before the first word of a text, also where that text goes on from another.
import type { LlamaModel, ResponseChunk } from "./node-llama-cpp.ts";

const TAIL_CHARACTERS = 32;

/**
 * Gives the text of each chunk of a reply that goes on from `known`; the first one with the space before it when the
 * model did say one.
 */
export function restoreLostSpace(model: LlamaModel, known: string): (chunk: ResponseChunk) => string {
  let begun = known === "";
  const tokens: number[] = [];
  return ({ text, tokens: added }) => {
    if (begun) return text;
    tokens.push(...added);
    const tail = model.tokenize(known.slice(-TAIL_CHARACTERS).toWellFormed(), false, "trimLeadingSpace");
    const whole = model.detokenize(tokens, false, tail);
    if (whole === "" && text === "") return "";
    begun = true;
    return whole.trimStart() === text.trimStart() ? whole : text;
  };
}
