import { lazy, useState, type ComponentType } from "react";

export interface LazyPart<P> {
  /** Suspends on its first showing only when its code is not here yet. */
  Part: ComponentType<P>;
  /** Loads the code ahead of need; a failure shows when the part is used. */
  preload: () => void;
}

/** A part of the page whose code loads when first needed, or before that in a quiet moment. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let ready: ComponentType<P> | null = null;
  const keep = async () => (ready = await load());
  const Suspending = lazy(async () => ({ default: await keep() }));
  function Part(props: P) {
    // Fixed for the life of this showing: another component type would build the part anew.
    const [Shown] = useState<ComponentType<P>>(() => ready ?? Suspending);
    return <Shown {...props} />;
  }
  return { Part, preload: () => void keep().catch(() => undefined) };
}

/** Runs when the page has nothing else to do. */
export function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: 3000 });
  else setTimeout(run, 1000);
}
