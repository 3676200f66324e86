// Turns whatever was thrown into an envelope, for every route (wire-contract.md §1.4, §1.5).
import type { Call } from "@plumb/protocol/wire/call";
import { type Envelope, envelopeFor, envelopeGlobal } from "@plumb/protocol/wire/envelope";
import { Global, type GlobalCode } from "@plumb/protocol/wire/global-codes";
import { DatabaseUnavailable } from "../database/database-unavailable.ts";
import { GlobalRefusal, Refusal } from "../refusal.ts";
import type { RequestContext } from "./request-context.ts";

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  envelope: Envelope;
}

const retryStatuses = new Set([429, 503]);

/** The answer to whatever was thrown. Faults of ours are logged with the trace id and told without their message. */
export function answerError(
  error: unknown,
  { traceId, log }: Pick<RequestContext, "traceId" | "log">,
  call: Pick<Call, "answers" | "repeatedKeys"> | null,
): ErrorAnswer {
  if (error instanceof Refusal) {
    const kind = call ?? { answers: "json" as const, repeatedKeys: [] };
    const envelope = envelopeFor(kind, traceId, error.data, error.refusal);
    if (error.detail !== undefined) envelope.detail = error.detail;
    return { status: 200, headers: {}, envelope };
  }
  if (error instanceof DatabaseUnavailable) {
    log.warn({ err: error }, "a request could not be served");
    return answerError(
      new GlobalRefusal(Global.ServiceUnavailable, { retryAfter: 1 }),
      { traceId, log },
      call,
    );
  }
  const refusal = error instanceof GlobalRefusal ? error : refusalOfFramework(error);
  if (refusal === null) {
    log.error({ err: error }, "a request failed");
    return { status: 500, headers: {}, envelope: envelopeGlobal(traceId, Global.InternalError) };
  }
  const { status } = refusal.global;
  return {
    status,
    headers: retryStatuses.has(status) ? { "retry-after": String(Math.max(1, refusal.retryAfter ?? 1)) } : {},
    envelope: envelopeGlobal(traceId, refusal.global, { data: refusal.data, detail: refusal.detail }),
  };
}

/** What Fastify itself refuses: a body that is too large, cut off or otherwise not readable. */
function refusalOfFramework(error: unknown): GlobalRefusal | null {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (typeof status !== "number" || status < 400 || status > 499) return null;
  const codes: Record<number, GlobalCode> = {
    // A path that the server of files refuses is no file.
    403: Global.NotFound,
    404: Global.NotFound,
    405: Global.MethodNotAllowed,
    413: Global.BodyTooLarge,
  };
  const code = codes[status];
  if (code !== undefined) return new GlobalRefusal(code);
  return new GlobalRefusal(Global.InvalidParams, { detail: [{ loc: "body", msg: "not readable" }] });
}
