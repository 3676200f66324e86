// Challenges, proofs of work and rate classes, and their part in the checks of every request.
import type { Call } from "@plumb/protocol/wire/call";
import { decodeGuestPowResponse, decodePowResponse, RequestHeader } from "@plumb/protocol/wire/headers";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Deps } from "../../platform/deps.ts";
import type { Feature } from "../../platform/http/feature.ts";
import type { Gatekeepers } from "../../platform/http/gatekeepers.ts";
import type { RateClass } from "../../platform/http/route.ts";
import { firstOf } from "../../platform/http/request-context.ts";
import { periodic } from "../../platform/periodic.ts";
import { BotChallenge } from "./bot-challenge.ts";
import { clearanceRoutes } from "./clearance-routes.ts";
import { Clearances } from "./clearances.ts";
import { guardRoutes } from "./guard-routes.ts";
import { deleteExpiredGuardRows } from "./proof-store.ts";
import { RateLimits } from "./rate-limit.ts";
import { requireGuestProof, requireUserProof } from "./require-proof-of-work.ts";
import { deleteExpiredSlides } from "./slide-captcha-store.ts";
import { slideCaptchaRoutes } from "./slide-captcha-routes.ts";
import { UnknownTokens } from "./unknown-tokens.ts";

interface GuardFeature
  extends
    Feature,
    Pick<Gatekeepers, "checkIpRate" | "checkClearance" | "checkBeforeBody" | "checkUserRate" | "checkProof"> {
  /** Looks up a bearer token with `find`, within the limits of unknown ones. */
  lookUpToken: UnknownTokens["lookUp"];
}

/** Routes of the guard with its share of the checks of wire-contract.md §1.6: steps 3, 4, 9 and 10. */
export function guardFeature(deps: Deps): GuardFeature {
  const { db, ports, secretKey } = deps;
  const rates = new RateLimits(deps);
  const unknownTokens = new UnknownTokens(rates, ports.clock);
  const clearances = new Clearances(deps);
  const challenge = new BotChallenge(deps.config, { rates, clearances });
  const cleanUp = periodic(deps, "guard clean-up", 5 * 60_000, async () => {
    rates.sweep();
    await deleteExpiredGuardRows(db, ports.clock.now());
    await deleteExpiredSlides(db, ports.clock.now());
  });

  async function checkIpRate(ip: string, rate: RateClass, call: Pick<Call, "path">): Promise<void> {
    rates.requireOfAddress("any_ip_minute", ip, Global.OperationTooFrequent);
    if (rate === "public") {
      const name = call.path === "/api/v0/share/content" ? "share_content_ip_minute" : "public_ip_minute";
      rates.requireOfAddress(name, ip, Global.IpAccessRestricted);
    } else if (rate === "guest") {
      rates.requireOfAddress("guest_ip_minute", ip, Global.IpAccessRestricted);
    } else if (rate === "code") {
      // Mails and text messages apart: who used up the one has not used up the other.
      await rates.requireStored("code_ip_hour", ip, Global.IpAccessRestricted, call.path);
    } else if (rate === "login") {
      await rates.requireStored("login_ip_minute", ip, Global.IpAccessRestricted);
    }
  }

  return {
    name: "guard",
    routes: [...guardRoutes(deps), ...slideCaptchaRoutes(deps), ...clearanceRoutes(deps, clearances)],
    async start() {
      if (deps.config.rateLimits === "off")
        deps.log.warn(
          "RATE_LIMITS=off: nothing bounds how often anybody calls. Wrong passwords, wrong codes and messages per hour stay limited.",
        );
      cleanUp.start();
    },
    async stop() {
      await cleanUp.stop();
    },
    checkIpRate: (context, rate, call) =>
      challenge.noting(context.ip, () => checkIpRate(context.ip, rate, call)),
    checkClearance: (context) => challenge.check(context),
    checkBeforeBody({ user }, rate) {
      rates.refuseFarOver(rate, user.id);
    },
    lookUpToken: (token, ip, find) => challenge.noting(ip, () => unknownTokens.lookUp(token, ip, find)),
    async checkUserRate({ user }, rate) {
      if (rate === "api") rates.requireOfUser("api_user_minute", user.id);
      else if (rate === "repeat") rates.requireOfUser("repeat_user_minute", user.id);
      else if (rate === "chat") await rates.requireMessage(user.id);
    },
    async checkProof(context, call) {
      const nowMs = ports.clock.now();
      if (call.proof === "guest") {
        const header = firstOf(context.headers[RequestHeader.GuestPowResponse]);
        const proof = header === null ? null : decodeGuestPowResponse(header);
        await requireGuestProof(db.kysely, { proof, calledPath: call.path }, nowMs);
      } else if (call.proof !== "none") {
        if (context.user === null) throw new Error(`${call.path} asks for a user's proof without a user`);
        const header = firstOf(context.headers[RequestHeader.PowResponse]);
        const proof = header === null ? null : decodePowResponse(header, call.path);
        await requireUserProof(
          db,
          secretKey,
          { proof, userId: context.user.id, calledPath: call.path },
          nowMs,
        );
      }
    },
  };
}
