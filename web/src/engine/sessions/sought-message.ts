// The message that a search led to: its chat opens at it, on its branch, and marks it once.
import { createStore } from "zustand/vanilla";
import type { Branches } from "./branches.ts";
import type { createReadingPlaces } from "./reading-places.ts";

/** Another object is another wish, also for the same message. */
export interface Sought {
  sessionId: string;
  messageId: number;
  lead?: Lead | undefined;
}

/** Goes on from the message to what was found in it. It is the page's (hooks/lead-from-message.ts): elements are nothing to the engine. */
export type Lead = (...elements: never[]) => void;

/** So much of what stands above it shows, px. */
export const ABOVE_SOUGHT_PX = 64;

export type SoughtMessage = ReturnType<typeof createSoughtMessage>;

export function createSoughtMessage(
  branches: Pick<Branches, "seek">,
  places: Pick<ReturnType<typeof createReadingPlaces>, "keep">,
) {
  const store = createStore<{ sought: Sought | null }>(() => ({ sought: null }));
  const drop = (): void => store.setState({ sought: null });
  return {
    store,
    /** Its chat, on show or shown next, goes to this message; a reload on the way changes nothing. */
    seek(sessionId: string, messageId: number, lead?: Lead): void {
      branches.seek(sessionId, messageId);
      places.keep(sessionId, { messageId, above: -ABOVE_SOUGHT_PX }, Number.MAX_SAFE_INTEGER);
      store.setState({ sought: { sessionId, messageId, lead } });
    },
    /** It was shown. */
    drop,
    /** It is gone: its chat opens at the end. */
    lose(sessionId: string): void {
      places.keep(sessionId, null);
      drop();
    },
    clear: drop,
  };
}
