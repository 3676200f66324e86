// Routes as data: a call, the policy app.ts enforces before the handler (wire-contract.md §1.6), and the handler.
import type { Call, RefusalCode, RequestOf, ResponseOf } from "@plumb/protocol/wire/call";
import type { AnswerKind, AnyAnswer, RedirectAnswer } from "./answers.ts";
import type { BodyLimits, StreamedBody } from "./body-limits.ts";
import type { ByteSource } from "./body-reader.ts";
import type { RequestContext } from "./request-context.ts";

/** Classes of wire-contract.md §1.9. */
export type RateClass =
  | "none"
  | "public"
  | "guest"
  | "code"
  | "login"
  | "api"
  | "chat"
  | "repeat"
  | "upload"
  | "share"
  | "export"
  | "delete";

export interface Policy {
  rate: RateClass;
  /** "speaking" calls are refused to accounts under review, without a phone or a birthday (wire-contract.md §1.8). */
  accountStatus: "any" | "speaking";
  /** A part of passing a bot challenge, which is not met with one itself. */
  endsChallenge?: true;
  /** What it takes as a body. Absent: JSON without a prompt. */
  body?: BodyLimits | StreamedBody;
  /** The kinds this route answers with. Absent: JSON, and an event stream or a redirect where the call is one. */
  answers?: readonly AnswerKind[];
  /**
   * Step 8 of §1.6: true when the request repeats a client_stream_id the caller already used in its own session,
   * so that the proof is skipped and the class is `repeat`. Does no work that grows with the request. Absent = never.
   */
  isRepeat?(context: SignedInContext, request: never): Promise<boolean>;
  /** A limit per user that the feature itself counts, asked at step 9 after the rate class. Throws what refuses the request. */
  checkLimit?(context: SignedInContext, request: never): Promise<void>;
  /**
   * Step 11 of §1.6, what a muted account is answered: a business code of the call, or "global" for 50006.
   * "allowed" says that muted people may call it, which is the default of all but speaking stream calls: those must say.
   */
  muted?: RefusalCode | "global" | "allowed";
  /** What a banned account is answered in place of 40012. */
  banned?: RefusalCode;
  /** Where a whole page is led that cannot be served now (429, 5xx), with why. Absent: the envelope, which no person reads. */
  leadsTo?(why: RefusalCode): RedirectAnswer;
}

export interface SignedInContext extends RequestContext {
  user: NonNullable<RequestContext["user"]>;
}

export interface Route {
  call: Call;
  policy: Policy;
  /** `body` is to be read where the policy has it streamed, and empty elsewhere. */
  handler(context: RequestContext, request: unknown, body: ByteSource): Promise<unknown>;
}

/** What a route answers with: what its policy declares, else what its call says. */
export function answerKindsOf({ call, policy }: Route): readonly AnswerKind[] {
  if (policy.answers !== undefined) return policy.answers;
  if (call.answers === "stream") return ["event-stream", "json"];
  return call.answers === "redirect" ? ["redirect"] : ["json"];
}

/**
 * Whether a bot challenge may stand before the route: where a call of a program is answered, which can pass it and ask again.
 * Pictures, links, redirects and the plain documents that a page needs for the challenge itself cannot.
 */
export function meetsChallenge(route: Route): boolean {
  const kinds = ["json", "large-json", "event-stream"];
  return route.policy.endsChallenge !== true && answerKindsOf(route).every((kind) => kinds.includes(kind));
}

/** The methods it is asked with. Whoever fetches a large file in parts asks first how large it is. */
export function methodsOf(route: Route): ("GET" | "POST" | "HEAD")[] {
  return answerKindsOf(route).includes("download") ? [route.call.method, "HEAD"] : [route.call.method];
}

type ContextOf<C extends Call<unknown, unknown>> = C extends { auth: "bearer" }
  ? SignedInContext
  : RequestContext;

/** Joins a call, its policy and a handler typed by the call. Every bearer handler gets a signed-in context. */
export function route<C extends Call<unknown, unknown>>(
  call: C,
  policy: Policy,
  handler: (
    context: SignedInContext & ContextOf<C>,
    request: RequestOf<C>,
    body: ByteSource,
  ) => Promise<ResponseOf<C> | AnyAnswer | null>,
): Route {
  return { call: call as unknown as Call, policy, handler: handler as Route["handler"] };
}
