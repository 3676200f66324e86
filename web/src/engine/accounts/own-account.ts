// `await engine.ownAccount()`: what the user does with the account itself: its settings, own sign-ins, birthday, its end.
import { createBindMobile } from "./bind-mobile.ts";
import { createBirthday } from "./birthday.ts";
import { deleteAccount } from "./delete-account.ts";
import { createOwnSignIns } from "./own-sign-ins.ts";
import { createTraining } from "./training.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";

export type OwnAccount = ReturnType<typeof createOwnAccount>;

export function createOwnAccount(deps: OwnAccountDeps) {
  const training = createTraining(deps);
  const signIns = createOwnSignIns(deps);
  return {
    training,
    signIns,
    setBirthday: createBirthday(deps),
    bindMobile: createBindMobile(deps),
    /** False = the account is still there, which was said. */
    remove: () => deleteAccount(deps),
    /** The account leaves. */
    clear(): void {
      training.clear();
      signIns.clear();
    },
  };
}
