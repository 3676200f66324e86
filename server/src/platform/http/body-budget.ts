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
      const [largest] = this.#ofLargestSender();
      if (largest === undefined) return;
      // It is released as it is refused.
      largest.refuse(new GlobalRefusal(Global.ServerBusy, { retryAfter: 1 }));
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

  /** The bodies of the sender that holds most, the largest first. */
  #ofLargestSender(): HeldBody[] {
    let most = -1;
    let found: HeldBody[] = [];
    for (const bodies of this.#senders.values()) {
      const bytes = [...bodies].reduce((sum, body) => sum + body.bytes, 0);
      if (bytes > most) {
        most = bytes;
        found = [...bodies];
      }
    }
    return found.toSorted((one, other) => other.bytes - one.bytes);
  }
}
