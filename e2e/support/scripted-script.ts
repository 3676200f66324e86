// What a test can have the scripted upstream do with one call.

export type CallKind = "answer" | "title" | "plan" | "continuation";

/** A disturbance when the reply has reached `at` characters of the whole undisturbed text (reasoning + answer). */
export type ScriptedFault = { at: number } & (
  | { kind: "stall"; /** Absent: until release() or the client goes. */ ms?: number }
  | { kind: "reset" | "half_close" | "cut" }
  | { kind: "garbage_bytes" | "garbage_json" | "comments" | "endless_comments" }
  | { kind: "error_object"; error?: Record<string, unknown> }
  | { kind: "huge_line"; bytes: number }
  | { kind: "never_ending"; /** Characters in each further chunk. */ chars?: number }
);

/** A failure instead of a stream. */
export type ScriptedRefusal =
  | { kind: "http"; status: number; body?: unknown; headers?: Record<string, string> }
  | { kind: "json_200"; body?: unknown }
  | { kind: "wrong_content_type"; contentType?: string; body?: string }
  | { kind: "silent" | "reset" | "endless_headers" };

export interface Script {
  /** All given conditions must hold. `user` is a part of the question's text. */
  match?: { kind?: CallKind | CallKind[]; user?: string; model?: string };
  /** How many calls it answers; absent = all. Counted scripts come before uncounted ones, older before newer. */
  times?: number;
  /** The reply: given text, or `tokens` (default 60) words drawn from `seed` (default: the question). */
  answer?: string;
  tokens?: number;
  seed?: string;
  /** Thought before the answer: given text, or that many words. */
  reasoning?: string | number;
  reasoningStyle?: "reasoning_content" | "reasoning" | "think_tags";
  /** "asked": only when the request asks for thinking. Default: always. */
  reasoningWhen?: "always" | "asked";
  /** Milliseconds between ticks (0 = as fast as the socket takes it), chunks per tick, characters per chunk (0 = a word). */
  paceMs?: number;
  perTick?: number;
  chunkChars?: number;
  /** Milliseconds of silence before the first byte of the body. */
  firstChunkMs?: number;
  usage?: boolean;
  /** null: the reply ends without a finish_reason. */
  finishReason?: "stop" | "length" | "content_filter" | null;
  done?: "once" | "missing" | "twice";
  newline?: "\n" | "\r\n";
  bom?: boolean;
  /** "broken": said to be compressed, and not. */
  gzip?: boolean | "broken";
  /** Every event has the same id. */
  sameIds?: boolean;
  /** The body ends without the line ends of its last event. */
  openEnd?: boolean;
  /** Writes the body in pieces of that many bytes; 1 cuts every character and line end. */
  splitBytes?: number;
  /** A continuation first repeats that many of the last characters. */
  repeatOverlap?: number;
  refusal?: ScriptedRefusal;
  fault?: ScriptedFault;
}

export interface ScriptedMessage {
  role: string;
  content: string;
  reasoning_content?: string;
  reasoning?: string;
  prefix?: boolean;
}

export interface ChatBody {
  model?: string;
  messages: ScriptedMessage[];
  stream?: boolean;
  max_tokens?: number;
  [parameter: string]: unknown;
}

/** A call as the upstream understands it. */
export interface ReadCall {
  kind: CallKind;
  /** The user's text the reply answers. */
  question: string;
  /** What of the reply is there already; `tagged` = the content ends within a <think> tag, so the reply goes on there. */
  prefix: { reasoning: string; answer: string; tagged: boolean };
}

const INSTRUCTION = /^(continue|go on)\b[^]*\bexactly\b/i;

function textOf(message: ScriptedMessage | undefined): string {
  return typeof message?.content === "string" ? message.content : JSON.stringify(message?.content ?? "");
}

function prefixOf(message: ScriptedMessage): ReadCall["prefix"] {
  const content = textOf(message);
  const given = message.reasoning_content ?? message.reasoning ?? "";
  const tag = /^<think>\n?/.exec(content);
  if (!tag) return { reasoning: given, answer: content, tagged: false };
  const inside = content.slice(tag[0].length);
  const end = inside.indexOf("</think>");
  if (end < 0) return { reasoning: inside, answer: "", tagged: true };
  return {
    reasoning: inside.slice(0, end).trimEnd(),
    answer: inside.slice(end + 8).trimStart(),
    tagged: true,
  };
}

/** Distinguishes answer, title, plan and continuation: by an assistant message at the end or an instruction after it; a title and a plan by their words and their token limit. */
export function readCall(body: ChatBody): ReadCall {
  const { messages } = body;
  const none = { reasoning: "", answer: "", tagged: false };
  const last = messages.at(-1);
  const questionBefore = (index: number): string =>
    textOf(messages.slice(0, index).findLast((message) => message.role === "user"));
  if (last?.role === "assistant") {
    return { kind: "continuation", question: questionBefore(messages.length - 1), prefix: prefixOf(last) };
  }
  const before = messages.at(-2);
  if (before?.role === "assistant" && INSTRUCTION.test(textOf(last))) {
    return {
      kind: "continuation",
      question: questionBefore(messages.length - 2),
      prefix: { ...prefixOf(before), tagged: false },
    };
  }
  const question = questionBefore(messages.length);
  const instructions =
    messages
      .filter((message) => message.role === "system")
      .map(textOf)
      .join("\n") + question;
  const limited = typeof body.max_tokens === "number" && body.max_tokens <= 1024;
  if (limited && /web search engine/i.test(instructions)) return { kind: "plan", question, prefix: none };
  const isTitle = /title/i.test(body.model ?? "") || (limited && /\btitle\b|标题/i.test(instructions));
  return { kind: isTitle ? "title" : "answer", question, prefix: none };
}

/** Whether the script is meant for this call. */
export function scriptMatches(script: Script, call: ReadCall, model: string): boolean {
  const { kind, user, model: name } = script.match ?? {};
  if (kind !== undefined && ![kind].flat().includes(call.kind)) return false;
  if (user !== undefined && !call.question.includes(user)) return false;
  return name === undefined || name === model;
}

/** Whether the request asks for thinking in any of the known styles. */
export function asksForThinking(body: ChatBody): boolean {
  const effort = body["reasoning_effort"];
  const kwargs = body["chat_template_kwargs"] as { enable_thinking?: boolean } | undefined;
  const thinking = body["thinking"] as { type?: string } | undefined;
  return (
    (typeof effort === "string" && effort !== "none" && effort !== "minimal") ||
    body["enable_thinking"] === true ||
    kwargs?.enable_thinking === true ||
    thinking?.type === "enabled"
  );
}
