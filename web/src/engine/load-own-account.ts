// What the user does with the account itself loads when it is first asked for.
import type { OwnAccount } from "./accounts/own-account.ts";
import type { OwnAccountDeps } from "./accounts/own-account-deps.ts";
import { sayMissing } from "./say-missing.ts";

export function createOwnAccountPart(deps: OwnAccountDeps) {
  let here: OwnAccount | null = null;
  return {
    /** The part. Null where its code cannot be had, which was said in a toast, but for whoever `says` it otherwise. */
    ownAccount: ({ says = true } = {}): Promise<OwnAccount | null> =>
      import("./accounts/own-account.ts").then(
        ({ createOwnAccount }) => (here ??= createOwnAccount(deps)),
        (error: unknown) => {
          sayMissing(deps, "one's own account", error, says);
          return null;
        },
      ),
    clear: (): void => here?.clear(),
  };
}
