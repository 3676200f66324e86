import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";

/** On the way to the other form and back it is not lost, nor by a reload: it stays with this entry of the tab's own history. */
let taken: string | null = null;

function keptInEntry(): string | null {
  const state: unknown = typeof history === "undefined" ? null : history.state;
  const kept = typeof state === "object" && state !== null && "invitation" in state ? state.invitation : null;
  return typeof kept === "string" && kept !== "" ? kept : null;
}

/**
 * The invitation that the page was opened with, taken out of its address at once (wire-contract.md §19.3), and what forgets it:
 * it is good once.
 */
export function useInvitation(): readonly [invitation: string | null, forget: () => void] {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const [, setForgotten] = useState(false);
  const given = new URLSearchParams(search).get("invitation");
  if (given !== null && given !== "") taken = given;
  else taken ??= keptInEntry();
  useEffect(() => {
    if (given === null) return;
    const rest = new URLSearchParams(search);
    rest.delete("invitation");
    const state = { invitation: given };
    navigate(rest.size === 0 ? path : `${path}?${rest.toString()}`, { replace: true, state });
  }, [given, navigate, path, search]);
  return [
    taken,
    () => {
      taken = null;
      history.replaceState(null, "");
      setForgotten(true);
    },
  ];
}
