import { createContext, use, type ReactNode } from "react";
import type { Engine } from "../engine/engine.ts";

const EngineContext = createContext<Engine | null>(null);

export function EngineProvider({ engine, children }: { engine: Engine; children: ReactNode }) {
  return <EngineContext value={engine}>{children}</EngineContext>;
}

/** The page's engine. Throws outside its provider. */
export function useEngine(): Engine {
  const engine = use(EngineContext);
  if (engine === null) throw new Error("useEngine must be used inside EngineProvider");
  return engine;
}
