// Signing in with WeChat (wire-contract.md §8.9, §8.10, §8.12).
import {
  startWechat as startWechatCall,
  verifyWechatMobile,
  wechatCallback,
  WechatBindingRefusal,
} from "@plumb/protocol/wire/oauth";
import type { Deps } from "../../platform/deps.ts";
import { type Policy, type Route, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { createAnswerSignedIn } from "../accounts/answer-signed-in.ts";
import { CodeRequesters } from "../accounts/code-requesters.ts";
import { mayUsePhone } from "../accounts/phone-regions.ts";
import { readMobile } from "../accounts/read-mobile.ts";
import { signInOrigin } from "../accounts/sign-in-origin.ts";
import { codeKeyOf } from "../accounts/verification-codes.ts";
import { regionOf } from "../guard/region-of.ts";
import { bindWechatMobile } from "./bind-wechat-mobile.ts";
import { browserOf } from "./flow-cookie.ts";
import { orToSignIn, toSignIn } from "./redirects.ts";
import { finishWechat, startWechat } from "./wechat-flow.ts";

const LOGIN = { rate: "login", accountStatus: "any" } as const;
const PAGE: Policy = { ...LOGIN, leadsTo: (why) => toSignIn("WECHAT", why) };

export function wechatRoutes(deps: Deps): Route[] {
  const { config, db, ports } = deps;
  const { clock } = ports;
  const codeKey = codeKeyOf(deps.secretKey);
  const requesters = new CodeRequesters(deps);
  const answerSignedIn = createAnswerSignedIn(deps);
  const flow = { config, db, clock, provider: ports.wechat };
  return [
    // It tells nothing and begins nothing that a guess could use.
    route(startWechatCall, { rate: "public", accountStatus: "any" }, async (context) =>
      startWechat(flow, context),
    ),
    route(wechatCallback, PAGE, async (context, request) =>
      orToSignIn("WECHAT", context, () => finishWechat(flow, context, request)),
    ),
    route(verifyWechatMobile, LOGIN, async (context, request) => {
      const mobile = readMobile(request, WechatBindingRefusal.InvalidMobileNumber);
      if (ports.wechat === null) throw new Refusal(WechatBindingRefusal.RegistrationExpired);
      const { requester } = await requesters.identify(context, { mobile });
      const mayUse = mayUsePhone(config, regionOf(deps, context));
      const closed = config.signUp === "open" ? null : WechatBindingRefusal.RegistrationClosed;
      const bound = await bindWechatMobile(
        { db, codeKey, provider: ports.wechat },
        {
          signature: request.signature,
          browser: browserOf(config.publicUrl, context),
          mobile,
          code: request.sms_verification_code,
          requester,
          usage: request.usage ?? [],
          origin: signInOrigin(deps, context),
          locale: context.locale,
          mayNotMake: mayUse ? closed : WechatBindingRefusal.OnlyMainland,
        },
        clock.now(),
      );
      context.log.info({ user: bound.user.id, outcome: bound.successCode }, "signed in with WeChat");
      return answerSignedIn(context, bound, undefined, { success_code: bound.successCode });
    }),
  ];
}
