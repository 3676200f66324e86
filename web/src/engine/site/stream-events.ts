// The events of replies as they came, for the debug panel; kept only while the flag enableEventsDisplay is on.
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { createStore } from "zustand/vanilla";

const KEPT = 500;

export interface StreamEventsState {
  /** Oldest first. */
  events: readonly ReceivedEvent[];
}

export function createStreamEvents(isWanted: () => boolean) {
  const store = createStore<StreamEventsState>(() => ({ events: [] }));
  return {
    store,
    keep(event: ReceivedEvent): void {
      if (isWanted()) store.setState(({ events }) => ({ events: [...events.slice(1 - KEPT), event] }));
    },
    clear: (): void => store.setState({ events: [] }),
  };
}
