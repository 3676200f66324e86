// What every JSON answer must be, whatever was asked (wire-contract.md §1.3–§1.5).
import type { Envelope } from "@plumb/protocol/wire/envelope";
import { Global } from "@plumb/protocol/wire/global-codes";
import type { Call } from "@plumb/protocol/wire/call";
import { expect } from "vitest";

const statuses = new Map(Object.values(Global).map((global) => [global.code, global]));

export interface AnsweredText {
  status: number;
  header(name: string): string | null | undefined;
  text: string;
}

/** Fails the test unless `answer` is a whole, well-formed envelope with the status of its code. Returns it. */
export function expectEnvelope(answer: AnsweredText): Envelope {
  expect(answer.header("content-type"), answer.text).toBe("application/json; charset=utf-8");
  const envelope = JSON.parse(answer.text) as Envelope;
  const { detail, ...rest } = envelope;
  expect(Object.keys(rest).sort()).toEqual(["code", "context", "data", "msg"]);
  const global = statuses.get(envelope.code);
  expect(global, `an unknown code: ${answer.text}`).toBeDefined();
  expect({ status: answer.status, msg: envelope.msg }).toEqual({ status: global?.status, msg: global?.msg });
  expect(envelope.context.logId).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.header("x-ds-trace-id")).toBe(envelope.context.logId);
  expect(answer.header("x-content-type-options")).toBe("nosniff");
  if (envelope.code === 0 || envelope.code === Global.UserIsMuted.code) {
    expect(envelope.data).toMatchObject({
      biz_code: expect.any(Number),
      biz_msg: expect.any(String),
      code: envelope.data?.biz_code,
    });
    expect(envelope.data).toHaveProperty("biz_data");
    if (envelope.data?.biz_code !== 0) expect(envelope.data?.biz_msg).toMatch(/^[A-Z_]+$/);
  } else {
    expect(envelope.data).toBeNull();
  }
  if (answer.status === 429 || answer.status === 503)
    expect(answer.header("retry-after")).toMatch(/^[1-9]\d*$/);
  if (detail !== undefined) {
    expect(detail.length).toBeGreaterThan(0);
    for (const { loc, msg } of detail) {
      expect(loc).toMatch(/^(body|query|header)(\.|$)/);
      expect(msg).not.toBe("");
    }
  }
  return envelope;
}

/**
 * Fails the test unless `answer` is one that the call can give to whatever it is asked. Null for a redirect, which leads to
 * our own pages where nothing outside is configured.
 */
export function expectDesigned(call: Pick<Call, "answers">, answer: AnsweredText): Envelope | null {
  if (call.answers !== "redirect" || answer.status !== 302) return expectEnvelope(answer);
  expect(answer.header("location")).toMatch(/^\/sign_in\?provider=[A-Z]+&error=[A-Z_]+&code=\d+$/);
  expect(answer.header("cache-control")).toBe("no-store");
  return null;
}

/** The same bytes but for the trace id, which no two answers share. */
export function withoutTraceId(text: string): string {
  return text.replace(/"logId":"[0-9a-f]{32}"/, '"logId":""');
}
