import { createContext, use } from "react";
import type { ReadingPlace } from "../../engine/sessions/reading-places.ts";

/** Where a message shall stand on the screen, by its upper edge: px in the window. */
export interface HeldPlace {
  messageId: number;
  top: number;
  /** In place of `top` where that lies above the page. */
  topWhenAbove: number;
  /** What is held instead, where the message has it: what stands above it there may change its height. */
  block?: ReadingPlace["block"];
}

/** Keeps a message where it stands while the page around it changes. */
export type HoldPlace = (place: HeldPlace) => void;

const Context = createContext<HoldPlace>(() => {});

export const HoldPlaceProvider = Context.Provider;

export function useHoldPlace(): HoldPlace {
  return use(Context);
}
