import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";

/** Kept for this page alone: on the way to the other form and back it is not lost. */
let taken: string | null = null;

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
  useEffect(() => {
    if (given === null) return;
    const rest = new URLSearchParams(search);
    rest.delete("invitation");
    navigate(rest.size === 0 ? path : `${path}?${rest.toString()}`, { replace: true });
  }, [given, navigate, path, search]);
  return [
    taken,
    () => {
      taken = null;
      setForgotten(true);
    },
  ];
}
