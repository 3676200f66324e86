// Bearer token → current user, and what the account status forbids (wire-contract.md §1.6, steps 5 and 6).
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Gatekeepers } from "../../platform/http/gatekeepers.ts";
import type { CurrentUser } from "../../platform/http/request-context.ts";
import { GlobalRefusal } from "../../platform/refusal.ts";
import type { Clock } from "../../ports/clock.ts";
import { isBanned, muteEnd, refuseSpeaking, type SpeakingRules } from "../moderation/account-status.ts";
import { hashToken, type LoginTokens } from "./login-tokens.ts";

/** 64 characters of the URL-safe alphabet; anything else is refused without a look-up. */
const TOKEN = /^[A-Za-z0-9_-]{64}$/;

export interface AccountGatekeepers extends Pick<Gatekeepers, "checkAccountStatus"> {
  /** The account of a bearer token; the refusal when the token is not accepted (40003) or the account is banned (40012). */
  authenticate(token: string): Promise<CurrentUser | GlobalRefusal>;
}

/** The checks that need the token's account. The account status they see is at most a second old. */
export function accountGatekeepers(
  tokens: LoginTokens,
  clock: Clock,
  rules: SpeakingRules,
): AccountGatekeepers {
  return {
    async authenticate(token) {
      if (!TOKEN.test(token)) return new GlobalRefusal(Global.InvalidToken);
      const tokenHash = hashToken(token);
      const found = await tokens.find(tokenHash);
      if (found === undefined) return new GlobalRefusal(Global.InvalidToken);
      if (isBanned(found.user)) {
        await tokens.endBanned(tokenHash);
        return new GlobalRefusal(Global.UserIsBanned);
      }
      return {
        id: found.user.id,
        tokenHash,
        mutedUntil: muteEnd(found.user, clock.now()),
        linkGeneration: found.user.link_generation,
      };
    },
    async checkAccountStatus({ user }, accountStatus) {
      if (accountStatus === "any") return;
      const found = await tokens.find(user.tokenHash);
      if (found === undefined) throw new GlobalRefusal(Global.InvalidToken);
      const refused = refuseSpeaking(found.user, rules, clock.now());
      if (refused !== null) throw refused;
    },
  };
}
