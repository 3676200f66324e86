import fc from "fast-check";
import { expect, test } from "vitest";
import { addToReport, emptyReport, isFlooding, readRunMessage } from "./run-report.ts";

const reportOf = (messages: readonly unknown[]) => messages.reduce(addToReport, emptyReport);

test("what went wrong is told once each, with the hosts that were asked", () => {
  const { errors, blockedHosts } = reportOf([
    { kind: "ready" },
    { kind: "error", text: "x is not defined" },
    { kind: "error", text: "x is not defined" },
    { kind: "blocked", text: "https://cdn.example/a.js" },
    { kind: "blocked", text: "https://cdn.example/b.js" },
    { kind: "blocked", text: "wss://live.example/" },
    { kind: "blocked", text: "eval" },
  ]);
  expect(errors).toEqual(["x is not defined"]);
  expect(blockedHosts).toEqual(["cdn.example", "live.example"]);
});

test("what has another shape says nothing", () => {
  for (const data of [null, 1, "ready", [], { kind: "html" }, { kind: "error" }, { kind: "error", text: 5 }])
    expect(readRunMessage(data)).toBeNull();
  expect(readRunMessage({ kind: "error", text: "x".repeat(301) })).toBeNull();
});

test("whatever is sent, the report stays small, and a flood is known", () => {
  const text = fc.oneof(fc.string(), fc.webUrl(), fc.constant("y".repeat(1000)));
  const message = fc.oneof(
    fc.anything(),
    fc.record({ kind: fc.constantFrom("ready", "error", "blocked", "__proto__"), text }),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 60 }), (messages) => {
      const { errors, blockedHosts } = reportOf(messages);
      expect(errors.length).toBeLessThanOrEqual(20);
      expect(errors.every((line) => line.length <= 300)).toBe(true);
      expect(blockedHosts.length).toBeLessThanOrEqual(5);
    }),
  );
  const many = (count: number) => reportOf(Array.from({ length: count }, () => ({})));
  expect([isFlooding(many(21)), isFlooding(many(201))]).toEqual([false, true]);
});

test("one message out of all measure is a flood by itself", () => {
  const size = 100_001;
  for (const data of [
    "x".repeat(size),
    { kind: "error", text: "x".repeat(size) },
    { other: "x".repeat(size) },
    new ArrayBuffer(size),
    new Uint8Array(size),
    Array.from({ length: size }),
    { parts: [{ text: "x".repeat(size) }] },
    { parts: [new Uint8Array(size)] },
    Array.from({ length: 600 }, () => [[]]),
    // Of unknown size.
    new Map(),
    1n,
  ]) {
    expect(isFlooding(addToReport(emptyReport, data))).toBe(true);
  }
  for (const data of [
    "x".repeat(1000),
    { kind: "error", text: "x".repeat(1000) },
    new Uint8Array(1000),
    { a: [1, { b: null }] },
  ])
    expect(isFlooding(addToReport(emptyReport, data))).toBe(false);
});
