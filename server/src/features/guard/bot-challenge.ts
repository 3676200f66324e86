// Who has to show a clearance before anything is answered: step 4 of wire-contract.md §1.6.
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Config } from "../../config.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import type { Clearances } from "./clearances.ts";
import type { RateLimits } from "./rate-limit.ts";

export class BotChallenge {
  readonly #who: "suspects" | "all" | null;
  readonly #rates: RateLimits;
  readonly #clearances: Clearances;

  constructor(
    { challenge }: Pick<Config, "challenge">,
    { rates, clearances }: { rates: RateLimits; clearances: Clearances },
  ) {
    this.#who = challenge?.who ?? null;
    this.#rates = rates;
    this.#clearances = clearances;
  }

  /** Runs a check of the address and counts its refusals: who keeps asking beyond the limits is a suspect. */
  async noting<T>(ip: string, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (this.#who === "suspects" && error instanceof GlobalRefusal) {
        this.#rates.countOfAddress("refused_ip_hour", ip);
      }
      throw error;
    }
  }

  /** Throws 40310 for who is to be challenged and shows no clearance. */
  check(caller: Pick<RequestContext, "headers" | "secure" | "ip">): void {
    if (this.#who === null) return;
    if (this.#who === "suspects" && !this.#rates.hasReached("refused_ip_hour", caller.ip)) return;
    if (!this.#clearances.holds(caller)) throw new GlobalRefusal(Global.BotChallenge);
  }
}
