import { createContext, use } from "react";

/** Where a message shall stand on the screen, by its upper edge: px in the window. */
export interface HeldPlace {
  messageId: number;
  top: number;
  /** In place of `top` where that lies above the page. */
  topWhenAbove: number;
}

/** Keeps a message where it stands while the page around it changes. */
export type HoldPlace = (place: HeldPlace) => void;

const Context = createContext<HoldPlace>(() => {});

export const HoldPlaceProvider = Context.Provider;

export function useHoldPlace(): HoldPlace {
  return use(Context);
}
