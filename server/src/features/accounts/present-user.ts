// The account as its owner sees it: User of wire-contract.md §3.1.
import { maskEmail, maskMobile } from "@plumb/protocol/rules/masks";
import type { Profile, User } from "@plumb/protocol/wire/accounts";
import { needsBirthday } from "../moderation/age-rule.ts";
import { muteEnd } from "../moderation/account-status.ts";
import type { IdentityRow } from "./identity-store.ts";
import type { UserRow } from "./user-store.ts";

function presentProfile({ provider, subject, name, picture, locale, email }: IdentityRow): Profile {
  return { provider, id: subject, name, picture, locale, email: email === null ? null : maskEmail(email) };
}

/**
 * `token`: the new one after a sign-in, else the one that the request carried. `minAge`: see `needsBirthday`.
 * `identities`: those of the account, the one used last first.
 */
export function presentUser(
  user: UserRow,
  token: string,
  { nowMs, minAge, identities }: { nowMs: number; minAge: number | null; identities: readonly IdentityRow[] },
): User {
  const profiles = identities.map(presentProfile);
  const mobile = user.mobile === null ? "" : maskMobile(user.mobile);
  const muted = muteEnd(user, nowMs);
  return {
    id: user.id,
    token,
    email: user.email === null ? "" : maskEmail(user.email),
    mobile_number: mobile,
    mobile,
    area_code: user.mobile === null ? "" : (user.area_code ?? "+86"),
    status: 0,
    id_profile: profiles[0] ?? null,
    id_profiles: profiles,
    chat: {
      is_muted: muted === null ? 0 : 1,
      mute_until: muted,
    },
    has_legacy_chat_history: false,
    need_birthday: needsBirthday(user, minAge, nowMs),
  };
}
