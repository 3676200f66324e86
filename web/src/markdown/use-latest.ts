import { useLayoutEffect, useRef, useState } from "react";

/** A function, always the same, that tells the value of the last draw. */
export function useLatest<T>(value: T): () => T {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  }, [value]);
  const [tell] = useState(() => () => latest.current);
  return tell;
}
