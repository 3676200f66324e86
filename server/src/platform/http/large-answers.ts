// How many large answers one caller may have open at once: each unread one costs buffers here and in the system.
import { Global } from "@plumb/protocol/wire/global-codes";
import type { ServerResponse } from "node:http";
import { finished } from "node:stream";
import { GlobalRefusal } from "../refusal.ts";

export class LargeAnswers {
  readonly #limit: number;
  readonly #open = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts an answer to `caller` until its response has ended. Throws 42903 for one more than the limit. */
  open(caller: string, response: ServerResponse): void {
    const open = this.#open.get(caller) ?? 0;
    if (open >= this.#limit) throw new GlobalRefusal(Global.OperationTooFrequent, { retryAfter: 1 });
    this.#open.set(caller, open + 1);
    finished(response, () => {
      const left = (this.#open.get(caller) ?? 0) - 1;
      if (left > 0) this.#open.set(caller, left);
      else this.#open.delete(caller);
    });
  }
}
