// The answer to the age gate (requirements 0§4, 0§8; wire-contract.md §9).
import { logout } from "@plumb/protocol/wire/accounts";
import { setBirthday, SetBirthdayRefusal } from "@plumb/protocol/wire/own-account";
import type { Text } from "../text.ts";
import { isSomebodyElse } from "./is-somebody-else.ts";
import { identityNotConfirmed, type ConfirmIdentity } from "./confirm-identity.ts";
import type { OwnAccountDeps } from "./own-account-deps.ts";
import { isRefused } from "./sign-in-failures.ts";

/** Tells the server year and month of the user's birth (1 to 12). False = it could not be told, which was said. */
export function createBirthday(
  { api, auth, reactions, leave }: Pick<OwnAccountDeps, "api" | "auth" | "reactions" | "leave">,
  { confirmed }: Pick<ConfirmIdentity, "confirmed">,
) {
  return async (year: number, month: number): Promise<boolean> => {
    const token = auth.token();
    const result = await confirmed("set_birthday", () => api.call(setBirthday, { year, month }));
    // What was said of one person is nothing of the next.
    if (isSomebodyElse(auth, token)) return result.ok;
    if (result.ok) {
      const { user } = auth.store.getState();
      if (user !== null) auth.changed({ ...user, need_birthday: false });
      return true;
    }
    const { error } = result;
    const toast = (text: Text) => reactions.toast({ type: "error", text, dedupeKey: "birthday" });
    // A refused token has led away already, with its own words.
    if (error.kind === "refused" && error.scope === "global") return false;
    if (error.kind !== "refused") {
      toast({ key: "ageGateNetworkError" });
      return false;
    }
    // Who does not confirm it may try again.
    if (isRefused(error, SetBirthdayRefusal.IdentityNotConfirmed)) {
      toast(identityNotConfirmed);
      return false;
    }
    const isTooYoung = error.code === SetBirthdayRefusal.TooYoung.code;
    // The server has ended the sign-ins of who is too young, and of nobody else.
    if (!isTooYoung) void api.call(logout, {}, { token });
    leave("signed-out");
    toast(isTooYoung ? { key: "ageGateRejectText" } : { key: "ageGetInvalidDate" });
    return false;
  };
}
