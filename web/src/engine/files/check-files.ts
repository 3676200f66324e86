// May a message go with these files? (requirements 1§5). Pure.
import type { Text } from "../text.ts";
import { readinessOfDraft, type DraftFile } from "./draft-file.ts";

export type FileScale = "empty" | "single" | "multi";

/** How many files: what is said of too much text depends on it. */
export function scaleOf(files: readonly unknown[]): FileScale {
  if (files.length === 0) return "empty";
  return files.length === 1 ? "single" : "multi";
}

/** block: not now, `text` says why; new-chat: not here, but in a chat of its own. */
export type FilesCheck = { kind: "ok" } | { kind: "block"; text: Text } | { kind: "new-chat"; text: Text };

const OK: FilesCheck = { kind: "ok" };

/** How much of the files' text has room on a branch: a whole number of per cent, at least 1. */
export function percentThatFits(room: number, tokens: number): number {
  return Math.max(1, Math.floor((Math.max(0, room) * 100) / tokens));
}

/** `used`: tokens of the branch the message goes to, 0 for the first message of a chat. `budget` in tokens. */
export function checkFiles(
  files: readonly DraftFile[],
  { used, budget }: { used: number; budget: number },
): FilesCheck {
  const states = files.map(readinessOfDraft);
  if (states.includes("error")) return { kind: "block", text: { key: "filesFailed" } };
  if (states.includes("unfinished")) return { kind: "block", text: { key: "filesNotReady" } };
  const tokens = files.reduce((sum, { stored }) => sum + (stored?.tokenUsage ?? 0), 0);
  if (used + tokens <= budget) return OK;
  if (scaleOf(files) === "single" && used > 0) return { kind: "new-chat", text: { key: "filesNeedNewChat" } };
  const percent = percentThatFits(budget - used, tokens);
  return { kind: "block", text: { key: "filesOverBudget", params: { percent } } };
}
