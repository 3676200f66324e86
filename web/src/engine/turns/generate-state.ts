// How far a reply in the making is, as the screen tells it.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { GenerateState } from "../sessions/client-message.ts";

const ORDER: readonly GenerateState[] = ["INITIALIZING", "AWAITING_FIRST_CHANGE", "GENERATING"];

/** A generate state only moves forward. */
export function laterState(old: GenerateState | null, wanted: GenerateState): GenerateState {
  return old !== null && ORDER.indexOf(old) > ORDER.indexOf(wanted) ? old : wanted;
}

/** What the text so far says: generating begins with the first letter of thought or answer. */
export function generateStateOf(message: Message): GenerateState {
  const generating = message.fragments.some(
    (fragment) =>
      (isFragment(fragment, "THINK") || isFragment(fragment, "RESPONSE")) && fragment.content !== "",
  );
  return generating ? "GENERATING" : "AWAITING_FIRST_CHANGE";
}
