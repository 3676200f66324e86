import { afterEach, expect, test, vi } from "vitest";
import { resultOf } from "./form-call.ts";

afterEach(() => void vi.unstubAllGlobals());

test("a form's call that rejects is reported, and the form says that the network failed", async () => {
  const reported: unknown[] = [];
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
  const fault = new Error("a part was not there");
  expect(await resultOf(() => Promise.reject(fault))).toEqual({
    ok: false,
    field: null,
    text: { key: "networkError" },
  });
  expect(reported).toEqual([fault]);
});

test("what a call gives is passed on as it is", async () => {
  expect(await resultOf(async () => null)).toBeNull();
  expect(await resultOf(async () => ({ ok: true }))).toEqual({ ok: true });
});
