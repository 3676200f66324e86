// A thread that hashes passwords, in the order in which they come. See hash-thread.ts.
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { HASH_PARAMETERS } from "./hash-parameters.ts";
import type { HashAnswer, HashTask } from "./hash-thread.ts";

parentPort?.on("message", (task: HashTask) => parentPort?.postMessage(answer(task)));

function answer({ password, compareWith }: HashTask): HashAnswer {
  try {
    return {
      value: compareWith === null ? hashSync(password, HASH_PARAMETERS) : verifySync(compareWith, password),
    };
  } catch (error) {
    return { error };
  }
}
