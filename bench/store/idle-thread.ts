// Does nothing, and tells how long it was kept from that since it was last asked.
import { parentPort } from "node:worker_threads";
import { watch } from "./stalls.ts";

let meter = watch();
parentPort?.on("message", () => {
  parentPort?.postMessage(meter.stop());
  meter = watch();
});
