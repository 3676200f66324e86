// The memory of all bodies that are still coming in, together.
import { Global } from "@plumb/protocol/wire/global-codes";
import { GlobalRefusal } from "../refusal.ts";

/** A body on its way: what it holds, and how to end it. */
interface HeldBody {
  bytes: number;
  refuse(refusal: GlobalRefusal): void;
}

/**
 * Over the budget the sender that holds most is refused (42905), not the one that comes next: so that one address with
 * a thousand half-sent bodies stands in nobody else's way.
 */
export class BodyBudget {
  readonly #limit: number;
  readonly #senders = new Map<string, Set<HeldBody>>();
  #held = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** Adds `bytes` to a body of `sender`. May refuse bodies, this one among them. */
  grow(sender: string, body: HeldBody, bytes: number): void {
    const bodies = this.#senders.get(sender) ?? new Set();
    this.#senders.set(sender, bodies.add(body));
    body.bytes += bytes;
    this.#held += bytes;
    while (this.#held > this.#limit) {
      const before = this.#held;
      for (const largest of this.#largestFirst()) {
        // It is released as it is refused; one that has come whole, and is in use, is not refused any more.
        largest.refuse(new GlobalRefusal(Global.ServerBusy, { retryAfter: 1 }));
        if (this.#held < before) break;
      }
      if (this.#held === before) return;
    }
  }

  /** Gives back what the body held. */
  release(sender: string, body: HeldBody): void {
    const bodies = this.#senders.get(sender);
    if (bodies?.delete(body) !== true) return;
    if (bodies.size === 0) this.#senders.delete(sender);
    this.#held -= body.bytes;
    body.bytes = 0;
  }

  /** The bodies of the sender that holds most, the largest first; then those of the next one. */
  *#largestFirst(): Generator<HeldBody> {
    const senders = [...this.#senders.values()].map((bodies) => ({
      bodies,
      bytes: [...bodies].reduce((sum, body) => sum + body.bytes, 0),
    }));
    for (const { bodies } of senders.toSorted((one, other) => other.bytes - one.bytes))
      yield* [...bodies].toSorted((one, other) => other.bytes - one.bytes);
  }
}
