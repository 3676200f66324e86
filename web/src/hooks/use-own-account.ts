import { useCallback, useEffect, useState } from "react";
import type { OwnAccount } from "../engine/accounts/own-account.ts";
import { useEngine } from "./use-engine.tsx";

interface OwnAccountHere {
  /** Null while its code comes, and where it cannot be had. */
  account: OwnAccount | null;
  failed: boolean;
  /** Asks for it once more. */
  retry: () => void;
}

/** The engine's part for the account itself, which is loaded with this. */
export function useOwnAccount(): OwnAccountHere {
  const engine = useEngine();
  const [account, setAccount] = useState<OwnAccount | null>(null);
  const [failed, setFailed] = useState(false);
  const retry = useCallback(() => {
    setFailed(false);
    void engine.ownAccount().then((here) => {
      setAccount(here);
      setFailed(here === null);
    });
  }, [engine]);
  useEffect(retry, [retry]);
  return { account, failed, retry };
}
