// What a model is told of the pages that were found, cut to the tokens there are for them. What stands in a page is
// material: it cannot pass for an instruction or for another source.
import type { SearchResult } from "@plumb/protocol/conversation/fragment";
import { countTokens } from "../../platform/count-tokens.ts";

/** Heads of sources take no more than this part, so that some are told in full. */
const HEADS_PART = 0.6;

/**
 * @param results in cite order
 * @param texts of the pages that were read, by cite_index
 * @param room tokens
 */
export async function sourcesText(
  results: readonly SearchResult[],
  texts: ReadonlyMap<number, string>,
  room: number,
): Promise<string> {
  const told: { result: SearchResult; head: string; text: string }[] = [];
  let left = room;
  for (const result of results) {
    const head = headOf(result);
    const tokens = await countTokens(head, left);
    const isFirst = told.length === 0;
    if (tokens > left || (!isFirst && room - left + tokens > room * HEADS_PART && hasText(texts, told)))
      break;
    told.push({ result, head, text: "" });
    left -= tokens;
  }
  const readable = told.filter(({ result }) => (texts.get(result.cite_index ?? 0) ?? "") !== "");
  for (const [index, source] of readable.entries()) {
    const share = Math.floor(left / (readable.length - index));
    source.text = await cutToTokens(tame(texts.get(source.result.cite_index ?? 0) ?? ""), share);
    left -= await countTokens(source.text);
  }
  return told
    .map(
      ({ result, head, text }) =>
        `${head}${text === "" ? "" : `\n${text}`}\n[end of source ${result.cite_index}]`,
    )
    .join("\n\n");
}

function hasText(texts: ReadonlyMap<number, string>, told: readonly { result: SearchResult }[]): boolean {
  return told.some(({ result }) => (texts.get(result.cite_index ?? 0) ?? "") !== "");
}

function headOf({ cite_index, title, url, site_name, published_at, snippet }: SearchResult): string {
  const date = published_at === null ? "" : `, ${new Date(published_at * 1000).toISOString().slice(0, 10)}`;
  return [
    `[source ${cite_index}]`,
    tame(title),
    `${tame(site_name ?? "")}${date}, ${url}`,
    ...(snippet === "" ? [] : [tame(snippet)]),
  ].join("\n");
}

/** White space, and what is not seen. */
const gap = String.raw`[\s\p{Cf}]`;
const mark = new RegExp(String.raw`[\[【［](?=${gap}*(end${gap}+of${gap}+source|source|citation)\b)`, "giu");

/** Marks of ours that stand in a page are none, however they are spaced. */
function tame(text: string): string {
  return text.replace(mark, "(");
}

/** The beginning of a text that has at most so many tokens. */
export async function cutToTokens(text: string, most: number): Promise<string> {
  if (most <= 0) return "";
  // No token is shorter than this on the average of any text: what lies behind is not counted.
  let cut = text.slice(0, most * 8);
  for (;;) {
    const tokens = await countTokens(cut);
    if (tokens <= most) return cut.toWellFormed();
    cut = cut.slice(0, Math.floor(cut.length * Math.min(0.95, most / tokens)));
  }
}
