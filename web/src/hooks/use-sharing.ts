import { use } from "react";
import type { SharingWork } from "../engine/sharing/create-sharing.ts";
import { useEngine } from "./use-engine.tsx";

/** The engine's part for sharing. Suspends while it comes. */
export function useSharing(): SharingWork {
  return use(useEngine().sharing.load());
}
