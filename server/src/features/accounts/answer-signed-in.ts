// What a sign-in answers: the account with its new token, and the cookie by which it knows this browser.
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { Deps } from "../../platform/deps.ts";
import { Answer } from "../../platform/http/answers.ts";
import type { RequestContext } from "../../platform/http/request-context.ts";
import { DeviceCookies } from "./device-cookie.ts";
import { listIdentitiesOf } from "./identity-store.ts";
import { presentUser } from "./present-user.ts";
import type { SignedInUser } from "./sign-in.ts";

type AnswerSignedIn = (
  context: Pick<RequestContext, "headers" | "secure">,
  signedIn: SignedInUser,
  /** The success's own number where that is not 0. */
  outcome?: RefusalCode,
  /** What the answer has beside the account. */
  more?: Readonly<Record<string, unknown>>,
) => Promise<Answer>;

export function createAnswerSignedIn(deps: Deps): AnswerSignedIn {
  const { config, db, ports } = deps;
  const devices = new DeviceCookies(deps);
  return async (context, { user, token }, outcome = { code: 0, msg: "" }, more = {}) => {
    const presented = presentUser(user, token, {
      nowMs: ports.clock.now(),
      minAge: config.minAge,
      identities: await listIdentitiesOf(db.kysely, user.id),
    });
    return new Answer(outcome, { user: presented, ...more }, devices.headersFor(context, user));
  };
}
