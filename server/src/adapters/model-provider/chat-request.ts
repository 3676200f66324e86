// The body of a chat/completions call, with a partial reply given back in the way the endpoint understands.
import type { ChatMessage, ModelRequest, ModelTool, ToolCall } from "../../ports/model-provider.ts";
import type { ChatStreamOptions } from "./chat-stream-reader.ts";
import type { EndpointKind } from "./endpoint-kind.ts";
import { thinkingFields, type ThinkingStyle } from "./thinking-style.ts";

/** Follows the partial reply where it cannot be given as a prefix. */
const CONTINUE_INSTRUCTION =
  "Continue your last message exactly where it stopped. Begin with the very next character: " +
  "repeat nothing, explain nothing, greet nobody, and keep its language and formatting.";

/** A title needs few tokens, but a model that cannot stop thinking needs some before it. */
const TITLE_TOKENS = 256;

export interface EndpointManner {
  kind: EndpointKind;
  local: boolean;
  model: string;
  style: ThinkingStyle;
  continuation: "prefix" | "instruct";
}

interface WireMessage {
  role: string;
  content: string;
  reasoning_content?: string;
  prefix?: true;
  tool_calls?: object[];
  tool_call_id?: string;
}

/** The body and how its answer is to be read. */
export interface ChatCall {
  body: Record<string, unknown>;
  reading: Pick<ChatStreamOptions, "startIn" | "reasoning" | "before">;
}

type Continued = {
  last: WireMessage[];
  fields?: Record<string, unknown>;
  thinking: boolean;
  reading: ChatCall["reading"];
};

function continued(
  prefix: { reasoning: string; answer: string },
  thinking: boolean,
  manner: EndpointManner,
): Continued {
  const { kind } = manner;
  const inThought = prefix.answer === "";
  const before = prefix.reasoning === "" ? { before: prefix.answer } : {};
  const openThought = `<think>\n${prefix.reasoning}`;
  if (manner.continuation === "instruct") {
    return {
      last: [
        { role: "assistant", content: inThought ? openThought : prefix.answer },
        { role: "user", content: CONTINUE_INSTRUCTION },
      ],
      thinking: thinking && inThought,
      reading: { startIn: "auto", reasoning: inThought ? "keep" : "drop", ...before },
    };
  }
  // DeepSeek's beta endpoint, Mistral and their likes take a marked prefix; local servers a bare one.
  if (
    kind === "deepseek_beta" ||
    kind === "deepseek" ||
    (!manner.local && !["vllm", "sglang"].includes(kind))
  ) {
    const thought = prefix.reasoning === "" ? {} : { reasoning_content: prefix.reasoning };
    return {
      last: [{ role: "assistant", content: prefix.answer, ...thought, prefix: true }],
      thinking,
      reading: inThought
        ? { startIn: "auto", reasoning: "keep" }
        : { startIn: "text", reasoning: "drop", ...before },
    };
  }
  const engine = kind === "vllm" || kind === "sglang";
  return {
    last: [{ role: "assistant", content: inThought ? openThought : prefix.answer }],
    ...(engine ? { fields: { continue_final_message: true, add_generation_prompt: false } } : {}),
    // llama.cpp refuses a prefilled answer while thinking is on, even one that is in its thought.
    thinking: thinking && inThought && kind !== "llamacpp",
    reading: inThought
      ? { startIn: "thinking", reasoning: "keep" }
      : // Reasoning parsers of these engines take any text without an opening tag for a thought.
        { startIn: "text", reasoning: engine ? "as_text" : "drop", ...before },
  };
}

function wireMessage({ role, content, toolCalls = [], toolCallId }: ChatMessage): WireMessage {
  return {
    role,
    content,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(wireCall) }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
  };
}

const wireCall = ({ id, name, arguments: given }: ToolCall): object => ({
  id,
  type: "function",
  function: { name, arguments: given },
});

const wireTool = (tool: ModelTool): object => ({ type: "function", function: tool });

/** Shapes a request for one endpoint. */
export function chatCall(request: ModelRequest, manner: EndpointManner): ChatCall {
  const { prefix, tools = [] } = request;
  const messages = request.messages.map(wireMessage);
  const partial = prefix !== undefined && (prefix.answer !== "" || prefix.reasoning !== "");
  const more: Continued = partial
    ? continued(prefix, request.thinking, manner)
    : { last: [], thinking: request.thinking, reading: { startIn: "auto", reasoning: "keep" } };
  const limit = request.maxTokens ?? (request.purpose === "title" ? TITLE_TOKENS : undefined);
  const limitName = manner.kind === "openai" ? "max_completion_tokens" : "max_tokens";
  return {
    body: {
      model: manner.model,
      messages: [...messages, ...more.last],
      stream: true,
      stream_options: { include_usage: true },
      ...(tools.length === 0 ? {} : { tools: tools.map(wireTool) }),
      ...(limit === undefined ? {} : { [limitName]: limit }),
      ...thinkingFields(manner.style, manner.kind, manner.model, more.thinking),
      ...more.fields,
    },
    reading: more.reading,
  };
}
