// The order of checks of wire-contract.md §1.6, steps 2 to 11. Step 1 is the router's (http-server.ts), 12 is the handler's.
import { LIMITS } from "@plumb/protocol/limits";
import { muteData } from "@plumb/protocol/wire/envelope";
import { Global } from "@plumb/protocol/wire/global-codes";
import { parseBearer, RequestHeader } from "@plumb/protocol/wire/headers";
import { exceededShape, parseJsonBody } from "@plumb/protocol/wire/json";
import { parseRequest } from "@plumb/protocol/wire/parse-request";
import { hasAtMost } from "@plumb/protocol/rules/code-points";
import { GlobalRefusal, Refusal } from "../refusal.ts";
import { type BodyLimits, jsonBody, type StreamedBody } from "./body-limits.ts";
import type { Gatekeepers } from "./gatekeepers.ts";
import { firstOf, type RequestContext } from "./request-context.ts";
import { meetsChallenge, type Route, type SignedInContext } from "./route.ts";

/** What the caller sent: the body's bytes for POST (null without one, or where it is streamed), the query for GET. */
export type RawRequest = { body: Uint8Array | null } | { query: Record<string, string> };

const streamInvalidParams = { code: 2, msg: "INVALID_PARAMS" } as const;

/** What a route takes as a body. */
export function bodyLimitsOf({ policy }: Route): BodyLimits | StreamedBody {
  return policy.body ?? jsonBody;
}

/** Steps 2 to 6, before any of the body is read. Returns the context with its user; throws what refuses the request. */
export async function checkCaller(
  route: Route,
  context: RequestContext,
  gates: Gatekeepers,
): Promise<RequestContext> {
  const { call, policy } = route;

  // 2 Content-Length against the limit
  const length = Number(firstOf(context.headers["content-length"]) ?? 0);
  if (length > bodyLimitsOf(route).bytes) throw new GlobalRefusal(Global.BodyTooLarge);

  // 3 rules and rate of the address
  await gates.checkIpRate(context, policy.rate, call);

  // 4 bot challenge
  if (meetsChallenge(route)) gates.checkClearance(context);

  // 5 token
  const known = await authenticate(route, context, gates);

  // 6 account state
  if (isSignedIn(known)) {
    await gates.checkAccountStatus(known, policy.accountStatus);
    gates.checkBeforeBody(known, policy.rate);
  }
  return known;
}

/** Steps 7 to 11. Returns the request as the handler takes it; throws what refuses it. */
export async function checkRequest(
  route: Route,
  context: RequestContext,
  raw: RawRequest,
  gates: Gatekeepers,
): Promise<unknown> {
  const { call, policy } = route;

  // 7 schema
  const request = parse(route, context, raw);

  // 8 a repeat has a rate class of its own and needs no proof
  const signedIn = isSignedIn(context) ? context : null;
  const repeat = signedIn !== null && (await policy.isRepeat?.(signedIn, request as never)) === true;

  // 9 rate of the user
  if (signedIn !== null) {
    await gates.checkUserRate(signedIn, repeat ? "repeat" : policy.rate, call);
    if (!repeat) await policy.checkLimit?.(signedIn, request as never);
  }

  // 10 proof of work
  if (call.proof !== "none" && !repeat) await gates.checkProof(context, call);

  // 11 mute
  if (signedIn !== null) refuseMuted(route, signedIn);
  return request;
}

async function authenticate(
  { call, policy }: Route,
  context: RequestContext,
  gates: Gatekeepers,
): Promise<RequestContext> {
  if (call.auth === "none") return context;
  const token = parseBearer(firstOf(context.headers[RequestHeader.Authorization]));
  if (token === null) {
    if (call.auth === "bearer") throw new GlobalRefusal(Global.MissingToken);
    return context;
  }
  const user = await gates.authenticate(token, context.ip);
  if (!(user instanceof GlobalRefusal)) return { ...context, user, token };
  if (user.global === Global.UserIsBanned && policy.banned !== undefined) throw new Refusal(policy.banned);
  if (call.auth === "bearer") throw user;
  return context;
}

function parse(route: Route, context: RequestContext, raw: RawRequest): unknown {
  const { call } = route;
  const detail: { loc: string; msg: string }[] = [];
  if (context.deviceId !== null && !hasAtMost(context.deviceId, LIMITS.deviceIdChars)) {
    detail.push({ loc: `header.${RequestHeader.DeviceId}`, msg: `longer than ${LIMITS.deviceIdChars}` });
  }
  const json: ParsedBody =
    "query" in raw ? { ok: true, value: raw.query } : parseBody(raw.body, bodyLimitsOf(route));
  if (json.ok) {
    const parsed = parseRequest(call, json.value);
    if (parsed.ok && detail.length === 0) return parsed.request;
    if (!parsed.ok) detail.push(...parsed.detail);
  } else {
    detail.push({ loc: "body", msg: json.msg });
  }
  throw call.answers === "stream"
    ? new Refusal(streamInvalidParams, null, detail)
    : new GlobalRefusal(Global.InvalidParams, { detail });
}

type ParsedBody = { ok: true; value: unknown } | { ok: false; msg: string };

const tooMuch = { depth: "nested deeper than", values: "more values than" } as const;

/** Bytes that are no UTF-8 are no JSON either; a byte order mark is dropped. The shape is measured before parsing. */
function parseBody(body: Uint8Array | null, limits: BodyLimits | StreamedBody): ParsedBody {
  if ("streamed" in limits) return { ok: true, value: {} };
  const exceeded = body === null ? null : exceededShape(body, limits);
  if (exceeded !== null) return { ok: false, msg: `${tooMuch[exceeded]} ${limits[exceeded]}` };
  try {
    const text = body === null ? "" : new TextDecoder("utf-8", { fatal: true }).decode(body);
    const parsed = parseJsonBody(text);
    return parsed.ok ? parsed : { ok: false, msg: "not valid JSON" };
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, msg: "not valid JSON" };
    throw error;
  }
}

function refuseMuted({ call, policy }: Route, { user }: SignedInContext): void {
  const answer = policy.muted ?? "allowed";
  if (user.mutedUntil === null || answer === "allowed") return;
  if (answer === "global") throw new GlobalRefusal(Global.UserIsMuted, { data: muteData(user.mutedUntil) });
  throw new Refusal(answer, call.answers === "stream" ? { mute_until: user.mutedUntil, is_muted: 1 } : null);
}

function isSignedIn(context: RequestContext): context is SignedInContext {
  return context.user !== null;
}
