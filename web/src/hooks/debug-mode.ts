import { createStore } from "zustand/vanilla";
import { useSelector } from "./use-selector.ts";

const debugMode = createStore<{ on: boolean }>(() => ({ on: false }));

/** Switches the debug mode, which lasts until the page is left. */
export function toggleDebugMode(): void {
  debugMode.setState(({ on }) => ({ on: !on }));
}

/** In debug mode message ids and error details show. */
export function useDebugMode(): boolean {
  return useSelector(debugMode, (state) => state.on);
}

/** The same for code outside a function component. */
export function isDebugMode(): boolean {
  return debugMode.getState().on;
}
