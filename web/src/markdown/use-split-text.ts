import { useEffect, useReducer, useState } from "react";
import type { Block } from "./block-model.ts";
import type { Grouped } from "./grouped-list.ts";
import type { Growing } from "./parse-env.ts";
import { createSplitSession } from "./split-session.ts";

export interface SplitText {
  blocks: Grouped<Block>;
  /** Whether they are those of the whole text. */
  isWhole: boolean;
}

/**
 * The blocks of a text that grows by appends; only what was appended is parsed. When one step is dear (one
 * paragraph of a hundred thousand characters), the steps become fewer. A long text that is there at once is taken in
 * slices, each in a task of its own.
 */
export function useSplitText(text: string, streaming: Growing): SplitText {
  const [session] = useState(() => createSplitSession());
  const [woken, wake] = useReducer((count: number) => count + 1, 0);
  const wait = streaming === true ? session.remainingWait() : 0;
  const blocks = wait > 0 ? session.latest() : session.update(text, streaming);
  const isHeld = wait > 0;
  useEffect(() => {
    if (!isHeld) return undefined;
    const timer = setTimeout(wake, Math.max(1, Math.ceil(session.remainingWait())));
    return () => clearTimeout(timer);
    // Woken a fraction of a millisecond early, the last text would wait for ever if the timer were not set again.
  }, [isHeld, session, woken]);
  const isWhole = session.isComplete(text, streaming);
  const unfinished = wait === 0 && !isWhole;
  useEffect(() => {
    if (!unfinished) return undefined;
    const timer = setTimeout(wake);
    return () => clearTimeout(timer);
  }, [unfinished, woken]);
  return { blocks, isWhole };
}
