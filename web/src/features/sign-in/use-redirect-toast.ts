import { useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { redirectText } from "../../engine/accounts/oauth-redirects.ts";
import { useEngine } from "../../hooks/use-engine.tsx";

/** Says why a sign-in elsewhere failed, once: the reason goes out of the address, and what else stands there stays. */
export function useRedirectToast() {
  const engine = useEngine();
  const [path, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    const text = redirectText(search);
    if (text === null) return;
    engine.site.showToast({ type: "error", text, dedupeKey: "oauth" });
    const rest = new URLSearchParams(search);
    for (const name of ["provider", "error", "code"]) rest.delete(name);
    navigate(rest.size === 0 ? path : `${path}?${rest.toString()}`, { replace: true });
  }, [engine, navigate, path, search]);
}
