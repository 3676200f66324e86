import { useCallback, useEffect, useState } from "react";
import type { Engine } from "../engine/engine.ts";
import { useEngine } from "./use-engine.tsx";
import { useSelector } from "./use-selector.ts";

export interface OwnPart<P> {
  /** Null while its code comes, and where it cannot be had. */
  part: P | null;
  failed: boolean;
  /** Asks for it once more. */
  retry: () => void;
}

/** A part of the engine that is loaded with this, and again when the network is back. `load` is one function for good. */
export function useOwnPart<P>(load: (engine: Engine) => Promise<P | null>): OwnPart<P> {
  const engine = useEngine();
  const online = useSelector(engine.site.network, (state) => state.online);
  const [part, setPart] = useState<P | null>(null);
  const [failed, setFailed] = useState(false);
  const ask = useCallback(() => {
    void load(engine).then((here) => {
      setPart(here);
      setFailed(here === null);
    });
  }, [engine, load]);
  // A network that has just gone is asked in vain, which shows nothing new.
  useEffect(ask, [ask, online]);
  function retry() {
    setFailed(false);
    ask();
  }
  return { part, failed, retry };
}
