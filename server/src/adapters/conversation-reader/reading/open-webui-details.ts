// What Open WebUI writes into the text of an answer besides the answer: thoughts, calls of tools, code that was run. Pure.
import { fenced } from "./fenced.ts";
import { jsonIn, textAt } from "./json-value.ts";

export type DetailPart =
  { type: "thought"; text: string; secs: number | null } | { type: "answer"; text: string };

const OPEN = "<details";
const CLOSE = "</details>";
const THINK = /^\s*<think>([\s\S]*?)<\/think>/u;
const KINDS: readonly string[] = ["reasoning", "tool_calls", "code_interpreter"];

/** The parts of an answer in their order; none is blank. */
export function detailsIn(text: string): DetailPart[] {
  const parts: DetailPart[] = [];
  let from = 0;
  for (let at = text.indexOf(OPEN); at !== -1;) {
    const { attributes, end } = attributesAt(text, at + OPEN.length);
    const kind = attributes?.get("type") ?? "";
    if (attributes === null || !KINDS.includes(kind)) {
      at = text.indexOf(OPEN, end);
      continue;
    }
    addAnswer(parts, text.slice(from, at));
    const close = text.indexOf(CLOSE, end);
    // One that does not end takes all that follows.
    const part = detail(kind, attributes, text.slice(end, close === -1 ? text.length : close));
    if (part.text.trim() !== "") parts.push(part);
    from = close === -1 ? text.length : close + CLOSE.length;
    at = text.indexOf(OPEN, from);
  }
  addAnswer(parts, text.slice(from));
  return parts;
}

/** Models that write their thoughts themselves put them first. */
function addAnswer(parts: DetailPart[], text: string): void {
  const thought = THINK.exec(text);
  const said = (thought?.[1] ?? "").trim();
  if (said !== "") parts.push({ type: "thought", text: said, secs: null });
  const answer = text.slice(thought?.[0].length ?? 0).trim();
  if (answer !== "") parts.push({ type: "answer", text: answer });
}

/** The attributes of a tag from where its name ends; null for what is no tag. No sign is looked at twice. */
function attributesAt(text: string, from: number): { attributes: Map<string, string> | null; end: number } {
  const attribute = /\s+([\w-]+)="([^"]*)"/uy;
  const attributes = new Map<string, string>();
  let end = from;
  for (attribute.lastIndex = from; ;) {
    const found = attribute.exec(text);
    if (found === null) break;
    end = attribute.lastIndex;
    attributes.set(found[1] ?? "", found[2] ?? "");
  }
  const close = /\s*>[ \t]*\n?/uy;
  close.lastIndex = end;
  return close.test(text) ? { attributes, end: close.lastIndex } : { attributes: null, end };
}

function detail(kind: string, attributes: ReadonlyMap<string, string>, inside: string): DetailPart {
  const body = inside.replace(/^\s*<summary>[\s\S]{0,1000}?<\/summary>[ \t]*\n?/u, "");
  if (kind === "reasoning") {
    const secs = Number(attributes.get("duration") || Number.NaN);
    const text = unescape(body).replace(/^> ?/gmu, "").trim();
    return { type: "thought", text, secs: Number.isFinite(secs) && secs >= 0 ? secs : null };
  }
  if (kind === "code_interpreter") {
    const output = outputOf(jsonIn(unescape(attributes.get("output") ?? "")));
    return { type: "answer", text: [body.trim(), output].filter((part) => part !== "").join("\n\n") };
  }
  const call = {
    name: unescape(attributes.get("name") ?? ""),
    asked: unescape(attributes.get("arguments") ?? ""),
    result: unescape(attributes.get("result") ?? "") || unescape(body).trim(),
  };
  return { type: "answer", text: callAsText(call) };
}

/** A tool's name with what it was asked, and what it answered. Both may be JSON of a text that is JSON. */
export function callAsText({ name, asked, result }: { name: string; asked: string; result: string }): string {
  const parts = [plainText(asked), plainText(result)];
  const call = parts[0] === "" || parts[0] === "{}" ? name : `${name}(${parts[0]})`;
  return fenced([call, parts[1]].filter((line) => line !== "").join("\n"), "");
}

function plainText(text: string): string {
  if (!/^\s*"/u.test(text)) return text.trim();
  try {
    const inside: unknown = JSON.parse(text);
    return typeof inside === "string" ? inside.trim() : text.trim();
  } catch {
    return text.trim();
  }
}

/** What running code gave: "" for nothing. */
export function outputOf(output: unknown): string {
  const said = ["stdout", "stderr", "result"].map((key) => textAt(output, key).trim());
  return fenced(said.filter((text) => text !== "").join("\n"), "");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&#39;": "'",
  "&amp;": "&",
};

function unescape(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp|#x27|#39);/gu, (entity) => ENTITIES[entity] ?? entity);
}
