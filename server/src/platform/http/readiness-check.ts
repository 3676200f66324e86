// One check of /readyz: bounded in time, and shared by probes that come close together.
import type { Clock } from "../../ports/clock.ts";

/** A check that takes longer has failed. */
const TIMEOUT_MS = 2000;
/** A probe is answered from a check of so long ago at most: a full disk and one that is free again are seen soon. */
const FRESH_MS = 1000;

export type CheckOutcome = "ok" | "fail";

/** "fail" when `work` throws or takes over 2 s. */
export async function outcomeOf(work: () => Promise<void>, clock: Clock): Promise<CheckOutcome> {
  let cancel = (): void => {};
  const late = new Promise<CheckOutcome>((resolve) => {
    cancel = clock.after(TIMEOUT_MS, () => resolve("fail"));
  });
  const done = work().then(
    (): CheckOutcome => "ok",
    (): CheckOutcome => "fail",
  );
  const outcome = await Promise.race([done, late]);
  cancel();
  return outcome;
}

/**
 * As `outcomeOf`, for work that costs something: it runs at most once a second and never twice at once, also where a
 * disk that hangs never ends it.
 */
export function sharedCheck(work: () => Promise<void>, clock: Clock): () => Promise<CheckOutcome> {
  let running: Promise<void> | null = null;
  let last: { outcome: CheckOutcome; at: number } | null = null;

  function runOnce(): Promise<void> {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  }

  return async () => {
    if (last !== null && clock.monotonic() - last.at < FRESH_MS) return last.outcome;
    const outcome = await outcomeOf(runOnce, clock);
    last = { outcome, at: clock.monotonic() };
    return outcome;
  };
}
