import type { Text } from "../engine/text.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useTexts } from "./use-texts.ts";

interface Reason {
  /** For the button. */
  attributes: { "aria-disabled": true; "aria-description": string; onClick: () => void };
  words: string;
}

/**
 * What a button says that can't do its work now; null where it can. It stays reachable and gives its reason: to a screen
 * reader, in `words` for the tooltip, and when it is pressed, since a finger finds no tooltip. An attribute and no hidden
 * text, which would be found on the page and copied.
 */
export function useReason(blocked: Text | null): Reason | null {
  const engine = useEngine();
  const { show } = useTexts();
  if (blocked === null) return null;
  const words = show(blocked);
  const onClick = () => engine.site.showToast({ type: "info", text: blocked, dedupeKey: words });
  return { attributes: { "aria-disabled": true, "aria-description": words, onClick }, words };
}
