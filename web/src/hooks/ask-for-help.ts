import type { Engine } from "../engine/engine.ts";

/** Opens the support messenger; says so where its code cannot be had. */
export function askForHelp(engine: Engine, load = () => import("./support.ts")): Promise<void> {
  return load().then(
    ({ openSupport }) => openSupport(engine),
    () => engine.site.showToast({ type: "error", text: { key: "networkError" }, dedupeKey: "help" }),
  );
}
