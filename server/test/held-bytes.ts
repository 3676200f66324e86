// What buffers hold once everything that is held no more has been collected.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes of the heap and of all buffers of this process that are in use. */
export function heldMemory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes of all ArrayBuffers and Buffers of this process that are in use. */
export function heldBytes(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}
