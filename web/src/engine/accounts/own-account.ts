// `await engine.ownAccount()`: what the user does with the account itself: its settings, ways in, own sign-ins, birthday, its end.
import { createAccountWays } from "./account-ways.ts";
import { createBindMobile } from "./bind-mobile.ts";
import { createBirthday } from "./birthday.ts";
import { createConfirmIdentity } from "./confirm-identity.ts";
import { deleteAccount } from "./delete-account.ts";
import { createOwnSignIns } from "./own-sign-ins.ts";
import { createTraining } from "./training.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";

export type OwnAccount = ReturnType<typeof createOwnAccount>;

export function createOwnAccount(deps: OwnAccountDeps) {
  const confirm = createConfirmIdentity(deps);
  const ways = createAccountWays(deps, confirm);
  const training = createTraining(deps);
  const signIns = createOwnSignIns(deps);
  return {
    confirm,
    ways,
    training,
    signIns,
    setBirthday: createBirthday(deps, confirm),
    bindMobile: createBindMobile(deps, confirm),
    /** False = the account is still there, which was said. */
    remove: () => deleteAccount(deps, confirm),
    /** The account leaves. */
    clear(): void {
      confirm.clear();
      ways.clear();
      training.clear();
      signIns.clear();
    },
  };
}
