import { siblingsOf } from "@plumb/protocol/conversation/message-tree";
import { useId, type MouseEvent } from "react";
import { flushSync } from "react-dom";
import type { ClientMessage } from "../../../engine/sessions/client-message.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { useSelector } from "../../../hooks/use-selector.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import hidden from "../../../ui/visually-hidden.module.css";
import { useHoldPlace } from "../hold-place.ts";
import styles from "./branch-switch.module.css";

interface Place {
  /** From 0. */
  index: number;
  count: number;
  previous: number | null;
  next: number | null;
}

/** Where a message stands among its siblings; null where there is nothing to switch to, or while it is in progress. */
export function useBranchPlace(
  sessionKey: string,
  { message_id: id, status }: Pick<ClientMessage, "message_id" | "status">,
): Place | null {
  const engine = useEngine();
  return useSelector(
    engine.sessions.store,
    ({ byId }) => {
      const session = byId[sessionKey];
      if (session === undefined || status === "WIP") return null;
      const { ids, index } = siblingsOf(session.tree, id);
      if (ids.length < 2) return null;
      return { index, count: ids.length, previous: ids[index - 1] ?? null, next: ids[index + 1] ?? null };
    },
    (a, b) =>
      a?.index === b?.index && a?.count === b?.count && a?.previous === b?.previous && a?.next === b?.next,
  );
}

/**
 * The arrows between the branches that begin with a message and its siblings: "‹ 2 / 3 ›". The message that comes
 * stands where the one that goes stood, and the focus stays on the arrow.
 */
export function BranchSwitch({ sessionKey, place }: { sessionKey: string; place: Place }) {
  const engine = useEngine();
  const { t } = useTexts();
  const hold = useHoldPlace();
  const placeId = useId();
  const { index, count } = place;

  function switchTo(messageId: number | null, { currentTarget: arrow }: MouseEvent<HTMLElement>) {
    const gone = arrow.closest("[data-message-id]");
    if (messageId === null || gone === null) return;
    const top = gone.getBoundingClientRect().top;
    const direction = arrow.dataset["branch"] ?? "";
    const arrowTop = arrow.getBoundingClientRect().top;
    flushSync(() => engine.sessions.switchBranch(sessionKey, messageId));
    const come = document.querySelector(`[data-message-id="${messageId}"]`);
    const sameArrow = come?.querySelector<HTMLElement>(`[data-branch="${direction}"]`);
    if (!come || !sameArrow) return;
    // Of a message that begins above the screen the arrows are what is seen: they stay.
    const offset = sameArrow.getBoundingClientRect().top - come.getBoundingClientRect().top;
    hold({ messageId, top, topWhenAbove: arrowTop - offset });
    sameArrow.focus({ preventScroll: true });
  }

  return (
    <span className={styles.branches} role="group" aria-labelledby={placeId}>
      <IconButton
        small
        icon="chevronLeft"
        label={t("conversation.previousBranch")}
        aria-describedby={placeId}
        aria-disabled={place.previous === null}
        data-branch="previous"
        onClick={(event) => switchTo(place.previous, event)}
      />
      <span className={styles.place} aria-hidden="true">
        {index + 1} / {count}
      </span>
      <span id={placeId} className={hidden.hidden}>
        {t("conversation.branchPlace", { index: index + 1, count })}
      </span>
      <IconButton
        small
        icon="chevronRight"
        label={t("conversation.nextBranch")}
        aria-describedby={placeId}
        aria-disabled={place.next === null}
        data-branch="next"
        onClick={(event) => switchTo(place.next, event)}
      />
    </span>
  );
}
