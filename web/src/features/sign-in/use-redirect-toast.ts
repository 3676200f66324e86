import { useEffect } from "react";
import { useLocation, useSearch } from "wouter";
import { redirectText } from "../../engine/accounts/oauth-redirects.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { signInAgain } from "./wanted-page.ts";

/**
 * Says why a sign-in elsewhere failed, once: the reason goes out of the address, and what else stands there stays, or where that
 * sign-in was to lead.
 */
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
    const { targetBeforeOauthLogin } = engine.site.preferences.getState();
    navigate(rest.size === 0 ? signInAgain(targetBeforeOauthLogin) : `${path}?${rest.toString()}`, {
      replace: true,
    });
  }, [engine, navigate, path, search]);
}
