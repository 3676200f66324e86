// Bad bearer tokens: each costs a query, so those seen lately are remembered and an address has a bounded number.
import { createHash } from "node:crypto";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { CurrentUser } from "../../platform/http/request-context.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { RateLimits } from "./rate-limit.ts";

/** A token is made of new random bytes, so that an unknown one does not become known later. */
const REMEMBERED_MS = 30_000;
const REMEMBERED_MAX = 10_000;

export class UnknownTokens {
  readonly #rates: RateLimits;
  readonly #clock: Clock;
  /** Monotonic ms until which a token is known to be unknown, by its hash; the oldest first. */
  readonly #unknown = new Map<string, number>();

  constructor(rates: RateLimits, clock: Clock) {
    this.#rates = rates;
    this.#clock = clock;
  }

  /**
   * Looks up a token, unless it was unknown a moment ago. Throws 42903 while the address has sent too many unknown ones.
   */
  async lookUp(
    token: string,
    ip: string,
    find: () => Promise<CurrentUser | GlobalRefusal>,
  ): Promise<CurrentUser | GlobalRefusal> {
    const hash = createHash("sha256").update(token).digest("base64");
    const until = this.#unknown.get(hash);
    if (until !== undefined && until > this.#clock.monotonic()) return new GlobalRefusal(Global.InvalidToken);
    this.#rates.refuseBeyond("unknown_token_ip_minute", ip, Global.OperationTooFrequent);
    const found = await find();
    if (found instanceof GlobalRefusal && found.global === Global.InvalidToken) {
      this.#rates.countOfAddress("unknown_token_ip_minute", ip);
      this.#remember(hash);
    }
    return found;
  }

  #remember(hash: string): void {
    this.#unknown.delete(hash);
    if (this.#unknown.size >= REMEMBERED_MAX) {
      const oldest = this.#unknown.keys().next();
      if (!oldest.done) this.#unknown.delete(oldest.value);
    }
    this.#unknown.set(hash, this.#clock.monotonic() + REMEMBERED_MS);
  }
}
