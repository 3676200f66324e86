// How deep thinking is asked for (MODEL_THINKING_STYLE).
import type { EndpointKind } from "./endpoint-kind.ts";

export type ThinkingStyle = "none" | "reasoning_effort" | "enable_thinking" | "thinking_type";

const REASONING_MODEL =
  /qwen-?3|qwq|deepseek|gpt-oss|gpt-5|(^|\/)o\d|magistral|glm-?[4-9]|kimi|minimax|nemotron|granite-3\.[2-9]|think|reason|(^|[-_/:.])r1([-_/:.]|$)/i;

/** Whether a model of that name is known to think. */
export function isReasoningModel(name: string): boolean {
  return REASONING_MODEL.test(name);
}

/**
 * `auto` by host and server, then by model name:
 * DeepSeek's own API: thinking_type · OpenAI: reasoning_effort for o-models and gpt-5, else none ·
 * DashScope, SiliconFlow: enable_thinking for models known to think · Ollama: reasoning_effort for models known to
 * think (it refuses the field for others) · vLLM, SGLang, llama.cpp, LM Studio: reasoning_effort for gpt-oss, else
 * enable_thinking as a variable of the chat template, which templates without it ignore · elsewhere by name:
 * gpt-oss, gpt-5, o-models reasoning_effort; Qwen 3, QwQ enable_thinking; DeepSeek, GLM, Kimi thinking_type; else none.
 */
export function autoThinkingStyle(kind: EndpointKind, model: string): ThinkingStyle {
  const byEffort = /gpt-oss|gpt-5|(^|\/)o\d/i.test(model);
  switch (kind) {
    case "deepseek":
    case "deepseek_beta":
      return "thinking_type";
    case "openai":
      return byEffort ? "reasoning_effort" : "none";
    case "dashscope":
      return isReasoningModel(model) ? "enable_thinking" : "none";
    case "ollama":
      return isReasoningModel(model) ? "reasoning_effort" : "none";
    case "vllm":
    case "sglang":
    case "llamacpp":
    case "lmstudio":
      return byEffort ? "reasoning_effort" : "enable_thinking";
    case "other":
      if (byEffort) return "reasoning_effort";
      if (/qwen-?3|qwq/i.test(model)) return "enable_thinking";
      return /deepseek|glm-?[4-9]|kimi/i.test(model) ? "thinking_type" : "none";
  }
}

/** The fields of the request body that ask for thinking, or for none. */
export function thinkingFields(
  style: ThinkingStyle,
  kind: EndpointKind,
  model: string,
  thinking: boolean,
): Record<string, unknown> {
  switch (style) {
    case "none":
      return {};
    case "thinking_type":
      return { thinking: { type: thinking ? "enabled" : "disabled" } };
    case "enable_thinking": {
      if (kind === "dashscope") return { enable_thinking: thinking };
      const template = { chat_template_kwargs: { enable_thinking: thinking } };
      return kind === "other" ? { enable_thinking: thinking, ...template } : template;
    }
    case "reasoning_effort": {
      if (thinking) return { reasoning_effort: "high" };
      if (/gpt-oss|(^|\/)o\d/i.test(model)) return { reasoning_effort: "low" };
      return { reasoning_effort: /gpt-5(?!\.)/i.test(model) ? "minimal" : "none" };
    }
  }
}
