import { createContext, useContext } from "react";

/** A page that a text may cite. What it says of itself is a stranger's. */
export interface CitedSource {
  url: string;
  title: string;
  siteName: string | null;
  /** As people write it; null where it is not known. */
  date: string | null;
}

/** By the number a citation names. */
export type CitedSources = ReadonlyMap<number, CitedSource>;

export const noSources: CitedSources = new Map();

/** Provided by whatever shows a text with its sources; keep the object while they are the same. */
export const CitedSourcesContext = createContext<CitedSources>(noSources);

export function useCitedSources(): CitedSources {
  return useContext(CitedSourcesContext);
}
