// Confirming that it is the owner who asks. Here, and not among accounts, because a sign-in at a provider is one of the proofs
// (wire-contract.md §19.8).
import {
  confirmIdentity as confirmIdentityCall,
  ConfirmIdentityRefusal,
} from "@plumb/protocol/wire/account-security";
import type { RequestOf } from "@plumb/protocol/wire/call";
import type { Deps } from "../../platform/deps.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { siteOf } from "../../platform/network-of.ts";
import { Refusal } from "../../platform/refusal.ts";
import { toSeconds } from "../../platform/seconds.ts";
import { confirmIdentity, type Proof } from "../accounts/confirm-identity.ts";
import { DeviceCookies } from "../accounts/device-cookie.ts";
import { PasswordTries } from "../accounts/password-tries.ts";
import { codeKeyOf } from "../accounts/verification-codes.ts";
import { browserOf } from "./flow-cookie.ts";
import { holdUserOfNonce } from "./nonces.ts";
import { CodeRequesters, targetOf } from "../accounts/code-requesters.ts";
import type { CodeKey } from "../accounts/verification-code-store.ts";

export function confirmIdentityRoutes(deps: Deps): Route[] {
  const { config, db, ports } = deps;
  const codeKey = codeKeyOf(deps.secretKey);
  const devices = new DeviceCookies(deps);
  const requesters = new CodeRequesters(deps);
  const tries = new PasswordTries(deps);

  /** The one proof that was given; throws 9 where it is none, or several. */
  function readProof(context: RequestContext, request: RequestOf<typeof confirmIdentityCall>): Proof {
    const { password, nonce, provider } = request;
    const proofs: Proof[] = [];
    const requesterOf = async (key: CodeKey) => (await requesters.identify(context, targetOf(key))).requester;
    if (password !== null) proofs.push({ way: "password", password });
    if (request.email_verification_code !== null)
      proofs.push({ way: "email", code: request.email_verification_code, requesterOf });
    if (request.sms_verification_code !== null)
      proofs.push({ way: "sms", code: request.sms_verification_code, requesterOf });
    if (nonce !== null && provider !== null) {
      const browser = browserOf(config.publicUrl, context);
      const use = { provider, nonce, browser };
      const held = () => db.transaction((trx) => holdUserOfNonce(db, trx, use, ports.clock.now()));
      const kind = provider === "GOOGLE" ? "google" : "wechat";
      proofs.push({ way: "provider", kind, accountOf: async () => (await held())?.id ?? null });
    }
    const [proof] = proofs;
    const isHalf = (nonce === null) !== (provider === null);
    if (proof === undefined || proofs.length > 1 || isHalf)
      throw new Refusal(ConfirmIdentityRefusal.WayNotAvailable);
    return proof;
  }

  return [
    route(confirmIdentityCall, { rate: "login", accountStatus: "any" }, async (context, request) => {
      const proof = readProof(context, request);
      const network = siteOf(context.ip) ?? context.ip;
      const untilMs = await confirmIdentity(
        { db, codeKey, tries },
        context.user,
        proof,
        (user) => ({ account: user.id, network, device: devices.find(context, user) }),
        ports.clock.now(),
      );
      context.log.info({ user: context.user.id, way: proof.way }, "an identity was confirmed");
      return { confirmed_until: toSeconds(untilMs) };
    }),
  ];
}
