// From a script and a call to the frames that are written: built once per text and shared between streams.
import { asksForThinking, type ChatBody, type ReadCall, type Script } from "./scripted-script.ts";
import { cutText, scriptedText } from "./scripted-text.ts";

/** One write. `position`: characters of the whole undisturbed text that are out after it. */
export interface Frame {
  bytes: Buffer;
  position: number;
  /** Silence before it; "release" = until released. */
  pause?: number | "release";
  /** Done instead of a write. */
  action?: "reset" | "half_close" | "cut" | "never_ending";
}

export interface FullReply {
  reasoning: string;
  answer: string;
}

/** The whole undisturbed reply to a call; a test compares what arrived with it. */
export function fullReply(
  script: Script,
  call: Pick<ReadCall, "kind" | "question">,
  body?: ChatBody,
): FullReply {
  const seed = script.seed ?? call.question;
  const asked = script.reasoningWhen !== "asked" || (body !== undefined && asksForThinking(body));
  const thought = asked ? (script.reasoning ?? "") : "";
  const reasoning = typeof thought === "number" ? scriptedText(`thought:${seed}`, thought) : thought;
  const isTitle = call.kind === "title";
  // Nothing planned: the question itself is looked up.
  if (call.kind === "plan")
    return { reasoning: "", answer: script.match?.kind === "plan" ? (script.answer ?? "") : "[]" };
  const answer = script.answer ?? (isTitle ? "Scripted title" : scriptedText(seed, script.tokens ?? 60));
  return { reasoning: isTitle ? "" : reasoning, answer };
}

const HEAD =
  '{"id":"chatcmpl-scripted","object":"chat.completion.chunk","created":1700000000,"model":"scripted-model",';

function chunk(delta: object, finish: string | null): string {
  return `${HEAD}"choices":[{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":${JSON.stringify(finish)}}]}`;
}

function pieces(
  script: Script,
  call: ReadCall,
  full: FullReply,
): { field: string; text: string; length: number }[] {
  const { prefix } = call;
  const mismatch = "[the prefix is not the beginning of the reply]";
  const inAnswer = prefix.answer !== "";
  const rest = (whole: string, known: string): string =>
    whole.startsWith(known) ? whole.slice(known.length) : mismatch;
  const overlap = call.kind === "continuation" ? (script.repeatOverlap ?? 0) : 0;
  const repeated = (known: string): string => (overlap > 0 ? known.slice(-overlap) : "");
  const thought = inAnswer ? "" : rest(full.reasoning, prefix.reasoning);
  const answer = inAnswer ? repeated(prefix.answer) + rest(full.answer, prefix.answer) : full.answer;
  const style = script.reasoningStyle ?? "reasoning_content";
  const size = script.chunkChars ?? 0;
  const cut = (field: string, text: string): { field: string; text: string; length: number }[] =>
    cutText(text, size).map((piece) => ({ field, text: piece, length: piece.length }));
  const tag = (text: string): { field: string; text: string; length: number }[] =>
    cutText(text, size).map((piece) => ({ field: "content", text: piece, length: 0 }));
  const openThought = call.kind === "continuation" && prefix.tagged && !inAnswer;
  const shown = repeated(inAnswer ? "" : prefix.reasoning) + thought;
  if (openThought || (style === "think_tags" && thought !== "")) {
    return [
      ...(openThought ? [] : tag("<think>\n")),
      ...cut("content", shown),
      ...tag("\n</think>\n\n"),
      ...cut("content", answer),
    ];
  }
  return [...cut(style === "think_tags" ? "content" : style, shown), ...cut("content", answer)];
}

/** The frames of a stream: SSE text as bytes, with the script's disturbances among them. */
export function replyFrames(script: Script, call: ReadCall, full: FullReply): Frame[] {
  const end = script.newline ?? "\n";
  const event = (data: string): Buffer =>
    Buffer.from(`${script.sameIds ? `id: 1${end}` : ""}data: ${data}${end}${end}`);
  const known =
    call.prefix.answer === ""
      ? call.prefix.reasoning.length
      : full.reasoning.length + call.prefix.answer.length;
  const frames: Frame[] = [];
  let position = call.kind === "continuation" ? Math.max(0, known - (script.repeatOverlap ?? 0)) : 0;
  const { fault } = script;
  let struck = fault === undefined || fault.at < position;
  const strike = (): boolean => {
    if (struck || fault === undefined || position < fault.at) return false;
    struck = true;
    const nothing = Buffer.alloc(0);
    switch (fault.kind) {
      case "stall":
        frames.push({ bytes: nothing, position, pause: fault.ms ?? "release" });
        return false;
      case "garbage_bytes":
        frames.push({
          bytes: Buffer.from([0xff, 0xfe, 0, 0x80, 0xc3, 0x28, 10, 0xf0, 0x9f, 10, 10]),
          position,
        });
        return false;
      case "garbage_json":
        frames.push({ bytes: event('{"choices":[{"delta":{"content":'), position });
        return false;
      case "comments":
        frames.push({ bytes: Buffer.from(`: still here${end}${end}`.repeat(20)), position });
        return false;
      case "error_object":
        frames.push({
          bytes: event(
            JSON.stringify({ error: fault.error ?? { message: "scripted failure", type: "server_error" } }),
          ),
          position,
        });
        frames.push({ bytes: nothing, position, action: "cut" });
        return true;
      case "huge_line":
        frames.push({
          bytes: Buffer.concat([Buffer.from("data: "), Buffer.alloc(fault.bytes, 0x61)]),
          position,
        });
        frames.push({ bytes: nothing, position, action: "never_ending" });
        return true;
      case "endless_comments":
        frames.push({ bytes: nothing, position, action: "never_ending" });
        return true;
      default:
        frames.push({ bytes: nothing, position, action: fault.kind });
        return true;
    }
  };
  frames.push({
    bytes: Buffer.from(
      (script.bom ? "\ufeff" : "") + `data: ${chunk({ role: "assistant", content: "" }, null)}${end}${end}`,
    ),
    position,
  });
  for (const piece of pieces(script, call, full)) {
    if (strike()) return frames;
    position += piece.length;
    frames.push({ bytes: event(chunk({ [piece.field]: piece.text }, null)), position });
  }
  if (strike()) return frames;
  const finish = script.finishReason === undefined ? "stop" : script.finishReason;
  if (finish !== null) frames.push({ bytes: event(chunk({}, finish)), position });
  if (script.usage !== false) {
    const usage = replyUsage(call, full);
    frames.push({ bytes: event(`${HEAD}"choices":[],"usage":${JSON.stringify(usage)}}`), position });
  }
  for (let count = script.done === "missing" ? 0 : script.done === "twice" ? 2 : 1; count > 0; count -= 1) {
    frames.push({ bytes: event("[DONE]"), position });
  }
  const last = frames.at(-1);
  if (script.openEnd && last) last.bytes = Buffer.from(last.bytes.toString().trimEnd());
  return frames;
}

/** Token counts as the upstream would bill them: words, roughly. */
export function replyUsage(call: ReadCall, full: FullReply): Record<string, number> {
  const prompt = cutText(call.question, 0).length + 3;
  const completion = cutText(full.reasoning, 0).length + cutText(full.answer, 0).length;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
