import type { ModelSettings } from "@plumb/protocol/wire/site";
import { modelInUse } from "../engine/turns/model-choice.ts";
import { useEngine } from "./use-engine.tsx";
import { useSelector } from "./use-selector.ts";

const none: readonly ModelSettings[] = [];

/** The models people may choose between, the default one first; fewer than two are no choice. */
export function useOfferedModels(): readonly ModelSettings[] {
  const engine = useEngine();
  return useSelector(engine.site.settings, ({ settings }) => settings?.models ?? none);
}

/** The model that the next turn asks; undefined before the settings came. */
export function useModelInUse(): ModelSettings | undefined {
  const engine = useEngine();
  const models = useOfferedModels();
  const chosen = useSelector(engine.turns.model, (state) => state.chosen);
  return modelInUse(chosen, models);
}
