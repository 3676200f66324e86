// Repeats a background task: one run at a time, the next one `everyMs` after the end of the last.
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "./logger.ts";

export interface Periodic {
  start(): void;
  /** Resolves when a run under way has ended; none begins after. */
  stop(): Promise<void>;
}

/**
 * An error of `task` is logged with `name`, and the repetition goes on. Of errors in a row the first, second, fourth,
 * eighth … are logged, and one line when the task works again. `everyMs` in milliseconds.
 */
export function periodic(
  { ports, log }: { ports: { clock: Clock }; log: Logger },
  name: string,
  everyMs: number,
  task: () => Promise<void>,
): Periodic {
  let stopped = false;
  let cancel: (() => void) | undefined;
  let running: Promise<void> | undefined;
  let failures = 0;

  async function run(): Promise<void> {
    try {
      await task();
      if (failures > 0) log.info({ task: name, failures }, "a background task works again");
      failures = 0;
    } catch (error) {
      failures += 1;
      if (Number.isInteger(Math.log2(failures))) {
        log.warn({ err: error, task: name, failures }, "a background task failed; it is retried");
      }
    } finally {
      running = undefined;
      if (!stopped) schedule();
    }
  }

  function schedule(): void {
    cancel?.();
    cancel = ports.clock.after(everyMs, () => {
      running ??= run();
    });
  }

  return {
    start: schedule,
    async stop() {
      stopped = true;
      cancel?.();
      await running;
    },
  };
}
