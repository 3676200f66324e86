// Loaded into a measured process before its program (--import): answers over the channel to the benchmark with the CPU
// time, memory and event-loop delay of this process alone.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const delay = monitorEventLoopDelay({ resolution: 1 });
// Threads of the program load this, too. Nobody asks them, and a timer in each would cost the program what it does not cost.
if (isMainThread) delay.enable();

const session = new Session();

/** Records a CPU profile of the measured time alone; `file` null begins it. */
async function profile(file: string | null): Promise<void> {
  if (file === null) {
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.start");
  } else {
    const { profile: recorded } = await session.post("Profiler.stop");
    writeFileSync(file, JSON.stringify(recorded));
  }
  process.send?.({ profiled: true });
}

/**
 * Memory that nothing uses any more must not stand in the reading before a measurement of memory: its end would hide what is
 * added. Not for one of time: it stops the process for up to half a second and makes the young generation small again.
 */
async function collectGarbage(): Promise<void> {
  const collector = new Session();
  collector.connect();
  await collector.post("HeapProfiler.collectGarbage");
  collector.disconnect();
  process.send?.({ collected: true });
}

const milliseconds = (nanoseconds: number): number => nanoseconds / 1e6;

process.on("message", (message: unknown) => {
  if (typeof message !== "object" || message === null) return;
  if ("profile" in message) void profile(message.profile as string | null);
  if ("collect" in message) void collectGarbage();
  if ("probe" in message) read(message.probe === "reset");
});

function read(reset: boolean): void {
  if (reset) delay.reset();
  const { user, system } = process.cpuUsage();
  process.send?.({
    probed: {
      cpuMicros: user + system,
      userMicros: user,
      atMicros: Number(process.hrtime.bigint() / 1000n),
      rssBytes: process.memoryUsage.rss(),
      // The timer's own resolution is part of what it reads.
      loopDelayMs: {
        p50: milliseconds(delay.percentile(50)) - 1,
        p99: milliseconds(delay.percentile(99)) - 1,
        max: milliseconds(delay.max) - 1,
      },
    },
  });
}

// Waiting for questions must not keep a program alive that has ended.
process.channel?.unref();
