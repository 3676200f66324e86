import { useEffect, useRef } from "react";

/** Tells whether the part of the page is still there, as what it has waited for comes. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return () => isHere.current;
}
