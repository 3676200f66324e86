// What a thread was at while its event loop stood still: in calls of SQLite, which may wait for the disk, or in the garbage
// collector, whose helpers may get no processor. Times on the clock.
import { PerformanceObserver } from "node:perf_hooks";
import { DatabaseSync, StatementSync } from "node:sqlite";

export interface UnderWay {
  inSqliteMs: number;
  inCollectorMs: number;
}

interface Span {
  from: number;
  to: number;
}

/** So much longer than a call in memory takes (ms). Shorter ones are left out: a purge makes a hundred thousand of them. */
const noticeableMs = 1;

/** From now on notes what this thread does, until `stop`; that tells how much of it lies in a span (performance.now()). */
export function noteWhatIsDone(): { stop(): (span: Span) => UnderWay } {
  const calls: Span[] = [];
  const collections: Span[] = [];
  const restore = [
    ...(["run", "all", "get"] as const).map((name) => timed(StatementSync.prototype, name, calls)),
    ...(["exec", "prepare"] as const).map((name) => timed(DatabaseSync.prototype, name, calls)),
  ];
  const note = (entries: readonly PerformanceEntry[]): void => {
    for (const { startTime, duration } of entries)
      collections.push({ from: startTime, to: startTime + duration });
  };
  const collector = new PerformanceObserver((list) => note(list.getEntries()));
  collector.observe({ entryTypes: ["gc"] });
  return {
    stop() {
      note(collector.takeRecords());
      collector.disconnect();
      for (const undo of restore) undo();
      return (span) => ({ inSqliteMs: within(calls, span), inCollectorMs: within(collections, span) });
    },
  };
}

/** Notes how long each call of a method takes. Returns what ends that. */
function timed(prototype: object, name: string, calls: Span[]): () => void {
  const methods = prototype as Record<string, (...given: unknown[]) => unknown>;
  const method = methods[name];
  if (method === undefined) throw new Error(`node:sqlite has no ${name}.`);
  methods[name] = function (this: unknown, ...given) {
    const from = performance.now();
    try {
      return method.apply(this, given);
    } finally {
      const to = performance.now();
      if (to - from > noticeableMs) calls.push({ from, to });
    }
  };
  return () => {
    methods[name] = method;
  };
}

function within(spans: readonly Span[], { from, to }: Span): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);
}
