import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { leaveOutCode, type NeverRuns } from "../../dev/leave-out-code.ts";
import { smallerReact } from "../../dev/unused-react.ts";

const library = readFileSync(
  createRequire(import.meta.url)
    .resolve("react-dom/client")
    .replace("client.js", "cjs/react-dom-client.production.js"),
  "utf8",
);

const none: NeverRuns = {
  functions: [],
  answers: {},
  constants: {},
  properties: {},
  expressions: {},
  cases: {},
  assigned: [],
};
const withoutSpace = (code: string): string => code.replaceAll(/\s+/g, " ").trim();

test.each<[what: string, code: string, never: Partial<NeverRuns>, left: string]>([
  [
    "a function and its calls",
    "function a(x) { act(x); } a(1); a(b()); keep(a);",
    { functions: ["a"] },
    "function a(x) {} (void 0); a(b()); keep(a);",
  ],
  [
    "an answer",
    "function a() { return b(); } if (a()) c();",
    { answers: { a: "!1" } },
    "function a() { return !1; } if ((!1)) c();",
  ],
  [
    "a constant, but not what is only named like it",
    "var on = !1; on = x(); f(on, y.on, { on: on });",
    { constants: { on: "!1" } },
    "var on = !1; x(); f(!1, y.on, { on: !1 });",
  ],
  [
    "a property",
    "f(a.b.gone, gone, a.toString);",
    { properties: { gone: "null" } },
    "f(null, gone, a.toString);",
  ],
  [
    "an expression",
    "f((a & 6) === a, (a & 7) === a);",
    { expressions: { "($ & 6) === $": "!1" } },
    "f(!1, (a & 7) === a);",
  ],
  [
    "a case, but not what it declares",
    "function f() { switch (a) { case 1: var b = 1; g(); break; case 2: case 3: h(b); } }",
    { cases: { f: [1, 2] } },
    "function f() { var b; switch (a) { case 3: h(b); } }",
  ],
  ["what is set", "a.b = 1; a.b.c = 2; a.bc = 3;", { assigned: ["a.b"] }, "a.bc = 3;"],
])("leaves out %s", (_, code, never, left) => {
  expect(withoutSpace(leaveOutCode(code, { ...none, ...never }))).toBe(left);
});

test("what it does not find, and a case that another runs into, are refused", () => {
  expect(() => leaveOutCode("f();", { ...none, functions: ["a"] })).toThrow("not found in the code: a");
  const code = "function f() { switch (a) { case 1: g(); case 2: h(); } }";
  expect(() => leaveOutCode(code, { ...none, cases: { f: [2] } })).toThrow("into one that is left out");
});

test("a quarter of React's file is left out", () => {
  const rest = smallerReact(library);
  expect(rest.length).toBeLessThan(library.length * 0.75);
  const kept = ["exports.createRoot", "updateSuspenseComponent", "getDerivedStateFromError"];
  expect(kept.filter((name) => !rest.includes(name))).toEqual([]);
});

/** What the page would ask of the parts that are left out. */
const asks = [
  /\bhydrateRoot\b/,
  /\bViewTransition\b/,
  /<(Activity|SuspenseList|Profiler|Fragment ref)\b/,
  /\b(useActionState|useFormStatus|useOptimistic|findDOMNode|componentStack|captureOwnerStack)\b/,
  /\b(preconnect|prefetchDNS|preloadModule|preinit|preinitModule|requestFormReset)\(/,
  /<(form|button|input)\b[^>]*\b(action|formAction)=\{/,
  /<(title|style|meta|link|script|html|head|body)\b/,
];

test("no part of the page asks for what is left out of React", async () => {
  const folder = new URL("..", import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.test)\.tsx$/.test(file));
  expect(files.length).toBeGreaterThan(100);
  const found = await Promise.all(
    files.map(async (file) => {
      const source = await readFile(new URL(file, folder), "utf8");
      return asks.filter((ask) => ask.test(source)).map((ask) => `${file}: ${ask.source}`);
    }),
  );
  expect(found.flat()).toEqual([]);
});
