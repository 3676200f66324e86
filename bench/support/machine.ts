// What a number was measured on.
import { cpus, loadavg, totalmem } from "node:os";

/** One line: processor, cores, memory, Node, and how busy the machine was before. */
export function describeMachine(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const memory = Math.round(totalmem() / 2 ** 30);
  const busy =
    Number(load) > cpus().length / 2 ? " (not idle: absolute numbers and percentiles are worth little)" : "";
  return `${model}, ${cpus().length} cores, ${memory} GB, Node ${process.version}, load before ${load}${busy}`;
}
