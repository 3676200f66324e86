// What the model is asked: the branch above the reply, and what the reply has so far. Thoughts, tips and searches of other
// replies are not sent again (wire-contract.md §3.3), citations among them, nor is a withdrawn answer or the prompt above it: a model that is
// given the prompt answers it with the next one.
import { type Fragment, isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { CITATION } from "@plumb/protocol/rules/citation-rules";
import type { ChatMessage, ModelRequest } from "../../ports/model-provider.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import { kindOf, type ToolKind } from "./reply-steps.ts";

/**
 * @param branch the messages from the root down to the request, in order
 * @param message the reply as it stands
 * @param tools what the model may call, and may have called in this reply
 */
export async function buildPrompt(
  reply: Pick<ReplyRow, "instructions" | "purpose" | "thinking_enabled">,
  branch: readonly Message[],
  message: Message,
  tools: readonly ToolKind[],
): Promise<ModelRequest> {
  const { instructions } = reply;
  const messages: ChatMessage[] = instructions === null ? [] : [{ role: "system", content: instructions }];
  const withdrawn = new Set(
    branch.flatMap((one) => (one.status === "CONTENT_FILTER" ? [one.message_id, one.parent_id] : [])),
  );
  for (const one of branch) {
    if (withdrawn.has(one.message_id)) continue;
    const type = one.role === "USER" ? "REQUEST" : "RESPONSE";
    const content = withoutCitations(contentOf(one.fragments, type), one);
    if (content !== "") messages.push({ role: one.role === "USER" ? "user" : "assistant", content });
  }
  const { found, before, prefix } = await spokenSoFar(message, tools);
  const request = messages.at(-1);
  if (found !== "" && request !== undefined) request.content = `${found}\n\n${request.content}`;
  const offered = tools.filter((kind) => kind.isOffered(message));
  return {
    messages: [...messages, ...before],
    purpose: reply.purpose === "coder" ? "coder" : "chat",
    thinking: reply.thinking_enabled === 1,
    model: message.model,
    ...(prefix === undefined ? {} : { prefix }),
    ...(offered.length === 0 ? {} : { tools: offered.map((kind) => kind.tool) }),
  };
}

const citations = new RegExp(` ?${CITATION}`, "gu");

/** The sources of another reply are not sent again: their numbers would be taken for those of this one. */
function withoutCitations(text: string, { fragments }: Message): string {
  if (!fragments.some((fragment) => isFragment(fragment, "SEARCH"))) return text;
  return text.replace(citations, "");
}

/**
 * What the reply holds up to its last call of a tool, as messages, and what the model has said since then; `found` is what
 * was done for the prompt before the model was asked.
 */
async function spokenSoFar(
  message: Message,
  tools: readonly ToolKind[],
): Promise<{ found: string; before: ChatMessage[]; prefix: ModelRequest["prefix"] }> {
  const before: ChatMessage[] = [];
  const found: string[] = [];
  let said: Fragment[] = [];
  for (const fragment of message.fragments) {
    const kind = kindOf(fragment, tools);
    if (kind === undefined) {
      said.push(fragment);
      continue;
    }
    const told = await kind.tell(fragment, message);
    if (told.kind === "prompt") {
      found.push(told.before);
      continue;
    }
    const content = contentOf(said, "RESPONSE");
    if (content !== "") before.push({ role: "assistant", content });
    before.push(...told.messages);
    said = [];
  }
  const answer = contentOf(said, "RESPONSE");
  const reasoning = contentOf(said, "THINK");
  const prefix = answer === "" && reasoning === "" ? undefined : { reasoning, answer };
  return { found: found.join("\n\n"), before, prefix };
}

function contentOf(fragments: readonly Fragment[], type: "REQUEST" | "RESPONSE" | "THINK"): string {
  return fragments.map((fragment) => (isFragment(fragment, type) ? fragment.content : "")).join("");
}
