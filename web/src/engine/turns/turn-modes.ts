// Which modes a turn is sent with.
import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { Preferences } from "../site/preferences.ts";

/** What the toggles say, as far as the installation offers it. Search and thinking exclude each other (wire-contract.md §11.2). */
export function turnModes(
  { thinkingEnabled, searchEnabled }: Pick<Preferences, "thinkingEnabled" | "searchEnabled">,
  offered: Pick<ClientSettings, "search" | "thinking"> | null,
): { thinking: boolean; search: boolean } {
  const search = searchEnabled && offered?.search.available !== false;
  return { thinking: thinkingEnabled && !search && offered?.thinking.available !== false, search };
}
