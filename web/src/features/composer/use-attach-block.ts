import type { Text } from "../../engine/text.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";

/** Why nothing can be attached to this draft now; null where it can. */
export function useAttachBlock(sessionKey: string): Text | null {
  const engine = useEngine();
  // Each of them can change it.
  useSelector(engine.site.preferences, (state) => state.searchEnabled);
  useSelector(engine.site.settings, (state) => state.settings);
  useSelector(engine.files.store, ({ byKey }) => byKey[sessionKey]);
  return useSelector(engine.sessions.store, () => engine.files.attachBlock(sessionKey), sameText);
}

function sameText(a: Text | null, b: Text | null): boolean {
  return a === b || (a !== null && b !== null && "key" in a && "key" in b && a.key === b.key);
}
