// How far a running reply is, as the screen shows it.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { GenerateState } from "../sessions/client-message.ts";

const ORDER: readonly GenerateState[] = ["INITIALIZING", "AWAITING_FIRST_CHANGE", "GENERATING"];

/** A generate state only moves forward. */
export function laterState(old: GenerateState | null, wanted: GenerateState): GenerateState {
  return old !== null && ORDER.indexOf(old) > ORDER.indexOf(wanted) ? old : wanted;
}

/** The state that the text so far stands for: generating begins with the first letter of a thought or an answer. */
export function generateStateOf(message: Message): GenerateState {
  const generating = message.fragments.some(
    (fragment) =>
      (isFragment(fragment, "THINK") || isFragment(fragment, "RESPONSE")) && fragment.content !== "",
  );
  return generating ? "GENERATING" : "AWAITING_FIRST_CHANGE";
}
