// What the page knows of the user's personas.
import type { Character } from "@plumb/protocol/wire/agents";

export interface AgentsState {
  /** The latest update first; null until they came. */
  characters: readonly Character[] | null;
  /** The list could not be had. */
  failed: boolean;
  /** How many the user may have; 0 until that is known. */
  maxCount: number;
  /** Ids in use here that name no persona of the user, or no longer. */
  gone: readonly string[];
}

export const NOTHING_KNOWN: AgentsState = { characters: null, failed: false, maxCount: 0, gone: [] };
