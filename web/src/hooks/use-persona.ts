import type { Character } from "@plumb/protocol/wire/agents";
import { useEffect } from "react";
import { useEngine } from "./use-engine.tsx";
import { useSelector } from "./use-selector.ts";

/** The user's persona with this id, as far as it is known: asks for it. */
export function usePersona(id: string): Character | undefined {
  const { agents } = useEngine();
  useEffect(() => void agents.look(id), [agents, id]);
  return useSelector(agents.store, ({ characters }) => characters?.find((one) => one.id === id));
}
