import { useEffect, useLayoutEffect, type RefObject } from "react";
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
    if (sought === null || scroller.current === null) return;
    const { messageId } = sought;
    const item = findItem(content, messageId);
    if (item === null) return;
    const edge = scroller.current.getBoundingClientRect().top;
    const holdAt = (top: number, block?: HeldPlace["block"]) =>
      hold({ messageId, top, topWhenAbove: top, block });
    holdAt(edge + ABOVE_SOUGHT_PX);
    const lead = sought.lead as LeadFromMessage | undefined;
    lead?.(item, scroller.current, (px, within) =>
      holdAt(item.getBoundingClientRect().top - px, placeOfBlock(item, blockAround(within), edge + px)),
    );
  }, [sought, branch, scroller, content, hold]);
  // After the composer of a chat that opens, which takes the focus, too; and what is hidden while it is drawn takes none.
  useEffect(() => {
    if (sought === null) return undefined;
    const typed = () => sessions.store.getState().drafts[sought.sessionId];
    const typedBefore = typed();
    const look = () => {
      const item = findItem(content, sought.messageId);
      if (content.current?.style.visibility === "hidden") frame = requestAnimationFrame(look);
      else if (item !== null) {
        sessions.soughtShown();
        mark(item, typed() === typedBefore);
      }
    };
    let frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [sessions, sought, branch, content]);
}

function findItem(content: RefObject<HTMLElement | null>, messageId: number): HTMLElement | null {
  return content.current?.querySelector<HTMLElement>(`[data-message-id="${messageId}"]`) ?? null;
}

/** `takesFocus`: nobody writes meanwhile. */
function mark(item: HTMLElement, takesFocus: boolean): void {
  const said = item.querySelector("article") ?? item;
  said.tabIndex = -1;
  if (takesFocus) said.focus({ preventScroll: true });
  item.dataset["sought"] = "";
  setTimeout(() => delete item.dataset["sought"], MARK_MS);
}
