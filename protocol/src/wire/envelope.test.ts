import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currentUser } from "./accounts.ts";
import {
  envelopeFor,
  envelopeGlobal,
  envelopeOk,
  envelopeRefused,
  muteData,
  readEnvelope,
} from "./envelope.ts";
import { Global } from "./global-codes.ts";
import { resumeStream } from "./replies.ts";
import { login } from "./sign-in.ts";

const TRACE = "4f1c0000000000000000000000000000";
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("envelopes as written", () => {
  it("[ERR-001] [ERR-002] [ERR-003] [ERR-005] success carries all keys, the mirrored code and the trace id", () => {
    expect(overTheWire(envelopeOk(TRACE, { id: "x" }))).toEqual({
      code: 0,
      msg: "",
      data: { biz_code: 0, biz_msg: "", biz_data: { id: "x" }, code: 0 },
      context: { logId: TRACE },
    });
    expect(overTheWire(envelopeOk(TRACE, undefined))).toMatchObject({ data: { biz_data: null } });
  });

  it("a business refusal is code 0 with its number and constant", () => {
    expect(overTheWire(envelopeRefused(TRACE, { code: 6, msg: "EMPTY_PROMPT" }))).toEqual({
      code: 0,
      msg: "",
      data: { biz_code: 6, biz_msg: "EMPTY_PROMPT", biz_data: null, code: 6 },
      context: { logId: TRACE },
    });
  });

  it("a schema error of a stream call carries its detail at the top", () => {
    const detail = [{ loc: "body.prompt", msg: "required" }];
    expect(
      overTheWire(envelopeRefused(TRACE, { code: 2, msg: "INVALID_PARAMS" }, null, detail)),
    ).toMatchObject({
      data: { biz_code: 2, biz_data: null },
      detail,
    });
  });

  it("a global error has null data", () => {
    const detail = [{ loc: "body.title", msg: "required" }];
    expect(overTheWire(envelopeGlobal(TRACE, Global.InvalidParams, { detail }))).toEqual({
      code: 42200,
      msg: "INVALID_PARAMS",
      data: null,
      context: { logId: TRACE },
      detail,
    });
  });

  it("[ERR-004] a mute tells its end in whole seconds", () => {
    expect(
      overTheWire(envelopeGlobal(TRACE, Global.UserIsMuted, { data: muteData(1_800_000_000.75) })),
    ).toEqual({
      code: 50006,
      msg: "USER_IS_MUTED",
      data: {
        biz_code: 50006,
        biz_msg: "USER_IS_MUTED",
        biz_data: null,
        code: 50006,
        end_at: 1_800_000_000,
        mute_until: 1_800_000_000,
      },
      context: { logId: TRACE },
    });
  });

  it("an account result carries code and msg inside biz_data, on success and on error", () => {
    expect(envelopeFor(login, TRACE, { user: { id: "u" } }).data?.biz_data).toEqual({
      user: { id: "u" },
      code: 0,
      msg: "",
    });
    const refused = envelopeFor(login, TRACE, null, { code: 2, msg: "PASSWORD_OR_USER_NAME_IS_WRONG" });
    expect(refused.data).toEqual({
      biz_code: 2,
      biz_msg: "PASSWORD_OR_USER_NAME_IS_WRONG",
      biz_data: { code: 2, msg: "PASSWORD_OR_USER_NAME_IS_WRONG" },
      code: 2,
    });
  });

  it("users/current repeats the user beside biz_data", () => {
    const data = envelopeFor(currentUser, TRACE, { id: "u", user: { id: "u" } }).data;
    expect(data).toEqual({
      biz_code: 0,
      biz_msg: "",
      biz_data: { id: "u", user: { id: "u" } },
      code: 0,
      user: { id: "u" },
    });
  });
});

describe("envelopes as read", () => {
  it("gives back every outcome that was written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.string(), (data, code, msg) => {
        const sent = overTheWire(data);
        expect(readEnvelope(overTheWire(envelopeOk(TRACE, data)))).toEqual({
          kind: "ok",
          data: sent,
          bizCode: 0,
          logId: TRACE,
        });
        const refusal = { code: code + 1, msg };
        expect(readEnvelope(overTheWire(envelopeRefused(TRACE, refusal, data)))).toEqual({
          kind: "refused",
          ...refusal,
          data: sent,
          logId: TRACE,
        });
      }),
    );
  });

  it("takes the call's own success numbers as success", () => {
    const body = envelopeRefused(TRACE, { code: 22, msg: "RESUME_GOT_FULL_MESSAGE" }, { message: 1 });
    expect(readEnvelope(body, resumeStream.successCodes)).toMatchObject({ kind: "ok", bizCode: 22 });
    expect(readEnvelope(body)).toMatchObject({ kind: "refused", code: 22 });
  });

  it("reads a global error with data and detail", () => {
    expect(
      readEnvelope(overTheWire(envelopeGlobal(TRACE, Global.UserIsMuted, { data: muteData(5) }))),
    ).toMatchObject({
      kind: "global",
      code: 50006,
      data: { end_at: 5 },
      detail: [],
    });
    expect(readEnvelope({ code: 42200, detail: [1, { loc: "body.a" }] })).toEqual({
      kind: "global",
      code: 42200,
      msg: "",
      data: null,
      detail: [{ loc: "body.a", msg: "" }],
      logId: "",
    });
  });

  it.each([
    undefined,
    null,
    1,
    "",
    [],
    {},
    { code: "0" },
    { code: 0 },
    { code: 0, data: [] },
    { code: 0, data: { biz_code: null } },
  ])("%j is not an envelope", (body) => {
    expect(readEnvelope(body)).toEqual({ kind: "not-an-envelope" });
  });

  it("survives anything", () => {
    const anything = fc.oneof(
      fc.anything(),
      fc.record({ code: fc.anything(), msg: fc.anything(), data: fc.anything(), context: fc.anything() }),
      fc.record({
        code: fc.constant(0),
        data: fc.dictionary(fc.constantFrom("biz_code", "biz_data"), fc.anything()),
      }),
    );
    fc.assert(
      fc.property(anything, (body) => {
        expect(["ok", "refused", "global", "not-an-envelope"]).toContain(readEnvelope(body).kind);
      }),
    );
  });
});
