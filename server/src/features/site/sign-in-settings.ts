// What the page offers for signing up and in (wire-contract.md §6.1, sign_in).
import { editionRules, type SignInMethod, type SignUpMethod } from "@plumb/protocol/rules/edition-rules";
import type { SignInSettings } from "@plumb/protocol/wire/site";
import type { Config } from "../../config.ts";
import type { Ports } from "../../ports/ports.ts";
import { mayUsePhone, mustUsePhone } from "../accounts/phone-regions.ts";

type Senders = { [K in "mailer" | "smsSender"]: Pick<Ports[K], "kind"> };

/** The mainland edition offers Google where the operator's flag says so. */
function googleForced({ google, flags }: Config): boolean {
  return google !== null && flags.forceGoogleSignIn;
}

/** Signing in through somebody else, as far as it is configured. */
function outsideMethods(config: Config): SignInMethod[] {
  const google = config.google !== null && (config.edition === "international" || googleForced(config));
  const wechat = config.wechat !== null && config.edition === "mainland";
  return [...(google ? ["google" as const] : []), ...(wechat ? ["wechat" as const] : [])];
}

/**
 * `region` is the visitor's. In the mainland edition codes by text message are always shown, and blocked where the region
 * may not use them; in the other one they join where the operator has a gateway and lets the region in.
 */
export function signInSettings(
  config: Config,
  { mailer, smsSender }: Senders,
  region: string | null,
): SignInSettings {
  const { edition, signUp } = config;
  const mayUseSms = mayUsePhone(config, region);
  const rules = editionRules(edition);
  const extra = edition === "international" && mayUseSms && smsSender.kind !== "outbox";
  const methods: SignInMethod[] = [
    ...rules.signIn,
    ...(extra ? ["sms_code" as const] : []),
    ...outsideMethods(config),
  ];
  const offered: SignUpMethod[] = extra ? [...rules.signUp, "mobile"] : [...rules.signUp];
  return {
    methods,
    sign_up: mustUsePhone(config, region) ? ["mobile"] : offered,
    sms_blocked: methods.includes("sms_code") && !mayUseSms,
    google_forced: googleForced(config),
    wechat_app_id: config.wechat?.appId ?? null,
    registration: signUp,
    registration_open: signUp === "open",
    email_outbox: mailer.kind === "outbox",
    sms_outbox: smsSender.kind === "outbox",
  };
}
