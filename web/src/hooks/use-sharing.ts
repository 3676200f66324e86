import { use } from "react";
import type { SharingWork } from "../engine/sharing/create-sharing.ts";
import { useEngine } from "./use-engine.tsx";

/**
 * The engine's part for sharing. Suspends while it comes, and only then: React shows what waited even for a moment no sooner
 * than 300 ms after what stood in for it.
 */
export function useSharing(): SharingWork {
  const { sharing } = useEngine();
  return sharing.here() ?? use(sharing.load());
}
