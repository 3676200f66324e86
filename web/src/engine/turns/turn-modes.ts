// Which modes a turn is sent with, and to which model.
import type { ClientSettings } from "@plumb/protocol/wire/site";
import { DEFAULT_MODEL } from "@plumb/protocol/wire/turns";
import type { Preferences } from "../site/preferences.ts";
import { isCharacterId } from "@plumb/protocol/rules/character-id";
import type { Text } from "../text.ts";
import { modelInUse } from "./model-choice.ts";

export interface TurnModes {
  thinking: boolean;
  search: boolean;
  /** Id of the model; "" for the default one. */
  model: string;
}

/** Why a mode can't be chosen for what is written; null where it can. Files go with none (requirements 1§5). */
export function modeBlock(mode: "thinking" | "search", { hasFiles }: { hasFiles: boolean }): Text | null {
  if (!hasFiles) return null;
  return { key: mode === "thinking" ? "thinkingOffWithFiles" : "searchOffWithFiles" };
}

/**
 * The modes that are switched on, as far as the installation and the model offer them. With both, thinking wins
 * (wire-contract.md §11.2); with a persona there is no search. A model that is not offered gives way to the default one.
 */
export function turnModes(
  { thinkingEnabled, searchEnabled }: Pick<Preferences, "thinkingEnabled" | "searchEnabled">,
  offered: Pick<ClientSettings, "search" | "thinking" | "models"> | null,
  { agentId, model: chosen }: { agentId: string; model: string },
): TurnModes {
  const model = modelInUse(chosen, offered?.models);
  const thinking = thinkingEnabled && (model?.thinking ?? offered?.thinking.available) !== false;
  return {
    thinking,
    search: searchEnabled && !thinking && offered?.search.available !== false && !isCharacterId(agentId),
    model: model === undefined ? chosen : model.id === DEFAULT_MODEL ? "" : model.id,
  };
}
