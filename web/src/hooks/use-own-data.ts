import { useCallback, useEffect, useState } from "react";
import type { OwnData } from "../engine/exports/own-data.ts";
import { useEngine } from "./use-engine.tsx";

interface OwnDataHere {
  /** Null while its code comes, and where it cannot be had. */
  data: OwnData | null;
  failed: boolean;
  /** Asks for it once more. */
  retry: () => void;
}

/** The engine's part for all that is the user's, which is loaded with this. */
export function useOwnData(): OwnDataHere {
  const engine = useEngine();
  const [data, setData] = useState<OwnData | null>(null);
  const [failed, setFailed] = useState(false);
  const retry = useCallback(() => {
    setFailed(false);
    void engine.ownData().then((here) => {
      setData(here);
      setFailed(here === null);
    });
  }, [engine]);
  useEffect(retry, [retry]);
  return { data, failed, retry };
}
