// Our protocol, held against one server on SQLite.
import { afterAll, beforeAll, describe } from "vitest";
import { conformance } from "../../server/test/conformance/conformance.ts";
import { type ConformanceStack, startConformanceStack } from "./conformance-stack.ts";

let stack: ConformanceStack;
beforeAll(async () => {
  stack = await startConformanceStack(0);
});
afterAll(() => stack?.close());

describe("conformance of one server on SQLite", () => {
  conformance(() => stack);
});
