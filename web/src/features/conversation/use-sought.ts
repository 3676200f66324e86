import { useLayoutEffect } from "react";
import { ABOVE_SOUGHT_PX } from "../../engine/sessions/sought-message.ts";
import type { LeadFromMessage } from "../../hooks/lead-from-message.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { blockAround } from "../../markdown/block-around.ts";
import type { HeldPlace } from "./hold-place.ts";
import type { ShownMessage } from "./message-groups.ts";
import { placeOfBlock } from "./place-in-view.ts";
import type { FollowScroll } from "./use-follow-scroll.ts";

/** So long a message is marked that a search has led to (milliseconds; as message-item.module.css). */
const MARK_MS = 2400;

/** The message that this conversation is to go to; null for none. */
export function useSought(sessionKey: string) {
  const { sessions } = useEngine();
  return useSelector(sessions.sought, ({ sought }) => (sought?.sessionId === sessionKey ? sought : null));
}

/** Goes to the sought message as soon as the branch on show has it, gives it the focus, and marks it for a moment. */
export function useGoToSought(
  sought: ReturnType<typeof useSought>,
  branch: readonly ShownMessage[],
  { scroller, content, hold }: FollowScroll,
): void {
  const { sessions } = useEngine();
  useLayoutEffect(() => {
    if (sought === null || scroller.current === null) return undefined;
    const { messageId } = sought;
    const item = content.current?.querySelector<HTMLElement>(`[data-message-id="${messageId}"]`);
    if (item == null) return undefined;
    const edge = scroller.current.getBoundingClientRect().top;
    const holdAt = (top: number, block?: HeldPlace["block"]) =>
      hold({ messageId, top, topWhenAbove: top, block });
    holdAt(edge + ABOVE_SOUGHT_PX);
    const lead = sought.lead as LeadFromMessage | undefined;
    lead?.(item, scroller.current, (px, within) =>
      holdAt(item.getBoundingClientRect().top - px, placeOfBlock(item, blockAround(within), edge + px)),
    );
    // After the composer of a chat that opens, which takes the focus, too.
    const timer = setTimeout(() => {
      sessions.soughtShown();
      mark(item);
    });
    return () => clearTimeout(timer);
  }, [sessions, sought, branch, scroller, content, hold]);
}

function mark(item: HTMLElement): void {
  const said = item.querySelector("article") ?? item;
  said.tabIndex = -1;
  said.focus({ preventScroll: true });
  item.dataset["sought"] = "";
  setTimeout(() => delete item.dataset["sought"], MARK_MS);
}
