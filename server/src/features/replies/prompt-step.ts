// Looks at the prompt before the model is asked: one that must not be said is not sent to it (wire-contract.md §4.6 "prompt
// filtered").
import type { ContentFilter } from "../../ports/content-filter.ts";
import { screenText, type WhenUnknown } from "../moderation/screen-text.ts";
import type { ReplyStep } from "./reply-steps.ts";

export interface PromptStepParts {
  filter: ContentFilter;
  whenUnknown: WhenUnknown;
  loadPrompt: () => Promise<string>;
}

export function promptStep({ filter, whenUnknown, loadPrompt }: PromptStepParts): ReplyStep {
  return {
    name: "prompt",
    async run(desk) {
      const verdict = await screenText(filter, await loadPrompt(), desk.signal);
      if (verdict === "refused") return { kind: "finish", reason: { kind: "filtered" } };
      // Not withdrawn: it may be sent again when the filter is back.
      if (verdict === "unknown" && whenUnknown === "block")
        return { kind: "finish", reason: { kind: "failed", reason: "server_busy" } };
      return { kind: "next", steps: [] };
    },
  };
}
