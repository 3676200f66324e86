// The checks of wire-contract.md §1.6 that belong to features, as check-order.ts calls them. guard and accounts implement them.
import type { Call } from "@plumb/protocol/wire/call";
import type { GlobalRefusal } from "../refusal.ts";
import type { CurrentUser, RequestContext } from "./request-context.ts";
import type { Policy, RateClass, SignedInContext } from "./route.ts";

/** Every check resolves when the request may go on and throws a Refusal or GlobalRefusal when it may not. */
export interface Gatekeepers {
  /** Step 3: limits per address, before anything is known of the caller. Classes without one resolve at once. */
  checkIpRate(context: RequestContext, rate: RateClass, call: Pick<Call, "path">): Promise<void>;
  /** Step 4: throws 40310 for a caller who has to pass a bot challenge first. Asks nobody and waits for nothing. */
  checkClearance(context: RequestContext): void;
  /**
   * Step 5 and the ban of step 6: the account behind a bearer token, or why it has none (40003, 40012).
   * Returned, not thrown: where auth is "optional" a bad token counts as none.
   */
  authenticate(token: string, ip: string): Promise<CurrentUser | GlobalRefusal>;
  /** Step 6: 40013, 40014, 40015. `accountStatus` is the route's; "any" asks nothing of the account. */
  checkAccountStatus(context: SignedInContext, accountStatus: Policy["accountStatus"]): Promise<void>;
  /** Before the body is read: throws for a user who is far over the class. Counts in memory, waits for nothing. */
  checkBeforeBody(context: SignedInContext, rate: RateClass): void;
  /** Step 9: limits per user. Classes without one resolve at once. */
  checkUserRate(context: SignedInContext, rate: RateClass, call: Call): Promise<void>;
  /** Step 10: 40300, 40301. Spends the proof. Called only when `call.proof` is not "none". */
  checkProof(context: RequestContext, call: Call): Promise<void>;
}
