// The branch above a reply → what the model is asked. Thoughts, tips and searches are not sent again (wire-contract.md §3.3).
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { ChatMessage, ModelRequest } from "../../ports/model-provider.ts";
import { builtInAgent } from "../agents/built-in-agents.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";

/** @param branch the messages from the root down to the request, in order */
export function buildPrompt(reply: ReplyRow, branch: readonly Message[]): ModelRequest {
  const agent = builtInAgent(reply.agent);
  const messages: ChatMessage[] =
    agent === undefined ? [] : [{ role: "system", content: agent.systemPrompt }];
  for (const message of branch) {
    const content = wordsOf(message);
    if (content !== "") messages.push({ role: message.role === "USER" ? "user" : "assistant", content });
  }
  return { messages, purpose: agent?.purpose ?? "chat", thinking: reply.thinking_enabled === 1 };
}

/** What the model said of a reply so far, to go on from; undefined when it said nothing. */
export function prefixOf(message: Message): ModelRequest["prefix"] {
  const answer = contentOf(message, "RESPONSE");
  const reasoning = contentOf(message, "THINK");
  return answer === "" && reasoning === "" ? undefined : { reasoning, answer };
}

function wordsOf(message: Message): string {
  return message.role === "USER" ? contentOf(message, "REQUEST") : contentOf(message, "RESPONSE");
}

function contentOf(message: Message, type: "REQUEST" | "RESPONSE" | "THINK"): string {
  return message.fragments.map((fragment) => (isFragment(fragment, type) ? fragment.content : "")).join("");
}
