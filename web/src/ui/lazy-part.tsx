import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from "react";
import { asChunkLoadError, isMissing, withinTime } from "./chunk-load-error.ts";

/** Something whose code comes later. */
export interface Loadable {
  isHere: () => boolean;
  /** Loads the code for somebody who waits for it. Rejects with what failed; asking again tries again. */
  load: () => Promise<unknown>;
}

export interface LazyPart<P> extends Loadable {
  /** Suspends on its first showing only when its code is not here yet. */
  Part: ComponentType<P>;
  /**
   * Loads the code ahead of need. False when it could not be had, which is nobody's concern yet; what the server has no more
   * is not asked for again.
   */
  preload: () => Promise<boolean>;
}

/** A part of the page whose code loads when first needed, or before that in a quiet moment. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let ready: ComponentType<P> | null = null;
  let loading: Promise<ComponentType<P>> | null = null;
  let isGone = false;
  async function keep() {
    if (ready !== null) return ready;
    try {
      loading ??= patiently(load);
      return (ready = await loading);
    } catch (error) {
      isGone = isMissing(error);
      throw error;
    } finally {
      loading = null;
    }
  }
  const Suspending = lazy(async () => ({ default: await keep() }));
  function Part(props: P) {
    // Fixed for the life of this showing: another component type would mount the part again.
    const [Shown] = useState<ComponentType<P>>(() => ready ?? Suspending);
    return <Shown {...props} />;
  }
  return {
    Part,
    isHere: () => ready !== null,
    load: keep,
    preload: async () => {
      if (isGone) return false;
      return keep().then(
        () => true,
        () => false,
      );
    },
  };
}

interface WhenHereProps {
  part: Loadable;
  standIn: ReactNode;
  children: ReactNode;
}

/**
 * Whether the part is here; it is loaded once it is wanted. Throws what failed where the code cannot be had: whoever shows
 * the part all the same would ask without end.
 */
export function usePartHere(part: Loadable, isWanted: boolean): boolean {
  const [asked, setAsked] = useState<{ part: Loadable; failure: { error: unknown } | null } | null>(null);
  // As it was drawn: what comes before the effect runs is to be drawn, too.
  const isHere = part.isHere();
  useEffect(() => {
    if (!isWanted || isHere) return;
    let isOver = false;
    const settle = (failure: { error: unknown } | null) => {
      if (!isOver) setAsked({ part, failure });
    };
    const loading = part.load();
    waitFor(loading);
    loading.then(
      () => settle(null),
      (error: unknown) => settle({ error }),
    );
    return () => {
      isOver = true;
    };
  }, [part, isWanted, isHere]);
  if (asked?.part === part && asked.failure !== null) throw asked.failure.error;
  return isHere;
}

/** Whether a part that may stay away is here; it is loaded. */
export function useMayShow(part: Pick<LazyPart<never>, "isHere" | "preload">): boolean {
  const [isHere, setHere] = useState(part.isHere);
  useEffect(() => {
    if (isHere) return undefined;
    let isOver = false;
    void part.preload().then((loaded) => !isOver && setHere(loaded));
    return () => {
      isOver = true;
    };
  }, [part, isHere]);
  return isHere;
}

/**
 * Shows the children as soon as their part is here, until then the stand-in. Suspense alone would hold them back until its
 * fallback had stood for 300 ms.
 */
export function WhenHere({ part, standIn, children }: WhenHereProps) {
  const isHere = usePartHere(part, true);
  return <Suspense fallback={standIn}>{isHere ? children : standIn}</Suspense>;
}

const LOAD_AGAIN_MS = 1500;
/** With the network there, so much of this is used up by each try that fails. */
const PATIENCE = 12;
/** Twelve tries, some 18 s: a server that is started again is back by then. */
const COST_OF_SILENCE = 1;
/** Four tries. */
const COST_OF_FAILURE = 3;
/** Two tries, where the server has it no more, as after an update: only another process of it may still have it. */
const COST_OF_MISSING = 6;

/**
 * Loads again while the network or the server is away, so that a drop in the first seconds costs a wait and not the page.
 * Rejects with a ChunkLoadError.
 */
export async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (let used = 0; ;) {
    try {
      return await withinTime(load);
    } catch (error) {
      if (navigator.onLine) {
        let isSilent = false;
        const failure = await asChunkLoadError(error, async (address) => {
          const status = await statusOf(address);
          isSilent = status === 0 || status >= 502;
          return status;
        });
        used += isMissing(failure) ? COST_OF_MISSING : isSilent ? COST_OF_SILENCE : COST_OF_FAILURE;
        if (used >= PATIENCE) throw failure;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(go, LOAD_AGAIN_MS);
        function go() {
          clearTimeout(timer);
          window.removeEventListener("online", go);
          resolve();
        }
        window.addEventListener("online", go);
      });
    }
  }
}

/** A server that is silent is not waited for longer (milliseconds). */
const STATUS_MS = 3000;

async function statusOf(address: string): Promise<number> {
  return fetch(address, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(STATUS_MS) }).then(
    ({ status }) => status,
    () => 0,
  );
}

/**
 * Loads parts ahead of need, one behind the other: all at once they would take the line, and the browser's few connections,
 * from what the user asks for meanwhile.
 */
export async function preloadInTurn(parts: readonly Pick<LazyPart<never>, "preload">[]): Promise<void> {
  for (const part of parts) await part.preload();
}

/** So long what waits for a quiet moment waits for what is to show (milliseconds). */
const LATEST_MS = 5000;
let awaited = 0;

/** No moment is quiet until this has settled: the screen waits for it. */
export function waitFor(loading: Promise<unknown>): void {
  awaited += 1;
  const settled = (): void => {
    awaited -= 1;
  };
  loading.then(settled, settled);
}

/**
 * Runs when the page has nothing else to do, and what is to show is here: on a slow line an idle processor waits for that,
 * and what else is asked for would only delay it.
 */
export function whenIdle(run: () => void): void {
  const until = performance.now() + LATEST_MS;
  const mustWait = (): boolean => awaited > 0 && performance.now() < until;
  const idle = (): void => (mustWait() ? look() : run());
  function look(): void {
    if (mustWait()) setTimeout(look, 100);
    else if ("requestIdleCallback" in window) window.requestIdleCallback(idle, { timeout: 3000 });
    else setTimeout(idle, 1000);
  }
  // What is drawn now may wait for its part.
  setTimeout(look);
}

/** A page nobody touches loads the rest after all: by the first press the server may be away. */
const UNTOUCHED_MS = 20_000;
const TOUCHES = ["pointermove", "pointerdown", "keydown", "dragenter"] as const;

/** Runs once, when a pointer first moves or a key is first pressed, or in 20 s; gives back the way to stop waiting. */
export function onFirstTouch(run: () => void): () => void {
  const timer = setTimeout(touched, UNTOUCHED_MS);
  function stop() {
    clearTimeout(timer);
    TOUCHES.forEach((type) => window.removeEventListener(type, touched, { capture: true }));
  }
  function touched() {
    stop();
    run();
  }
  TOUCHES.forEach((type) => window.addEventListener(type, touched, { capture: true, passive: true }));
  return stop;
}

/**
 * Loads at the first touch, and again at a later one where that failed; what the server has no more is not asked for again.
 * Gives back the way to stop.
 */
export function loadOnTouch<T>(load: () => Promise<T>, begin: (loaded: T) => void): () => void {
  let stopped = false;
  let stop = onFirstTouch(ask);
  function ask() {
    load().then(
      (loaded) => {
        if (!stopped) begin(loaded);
      },
      (error: unknown) => {
        if (!stopped && !isMissing(error)) stop = onFirstTouch(ask);
      },
    );
  }
  return () => {
    stopped = true;
    stop();
  };
}
