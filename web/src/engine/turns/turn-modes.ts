// Which modes a turn is sent with.
import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { Preferences } from "../site/preferences.ts";

/** The modes that are switched on, as far as the installation offers them. With both, thinking wins (wire-contract.md §11.2). */
export function turnModes(
  { thinkingEnabled, searchEnabled }: Pick<Preferences, "thinkingEnabled" | "searchEnabled">,
  offered: Pick<ClientSettings, "search" | "thinking"> | null,
): { thinking: boolean; search: boolean } {
  const thinking = thinkingEnabled && offered?.thinking.available !== false;
  return { thinking, search: searchEnabled && !thinking && offered?.search.available !== false };
}
