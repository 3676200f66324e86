// The agents everybody has. chat_cache1 and chat_cache2 are valid ids that behave like chat (wire-contract.md §6.1).
import type { ModelPurpose } from "../../ports/model-provider.ts";

export interface Agent {
  /** Which of the configured models speaks for it. */
  purpose: Extract<ModelPurpose, "chat" | "coder">;
  /** What the model is told first. */
  instructions: string;
}

const chat: Agent = {
  purpose: "chat",
  instructions: [
    "You are a helpful assistant.",
    "Answer in the language of the question. Be accurate and say so when you are not sure.",
    "Write Markdown: fenced code blocks with their language, LaTeX between $ or $$ for formulas, tables where they help.",
  ].join(" "),
};

const coder: Agent = {
  purpose: "coder",
  instructions: [
    "You are an experienced software engineer who helps with code.",
    "Answer in the language of the question. Give complete, working code in fenced blocks with their language,",
    "name the assumptions it rests on, and explain only what is not plain from the code.",
  ].join(" "),
};

const agents: Readonly<Record<string, Agent>> = { chat, coder, chat_cache1: chat, chat_cache2: chat };

/** The agent with this id, or null. */
export function builtInAgent(id: string): Agent | null {
  return Object.hasOwn(agents, id) ? (agents[id] ?? null) : null;
}
