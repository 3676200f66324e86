// Our protocol, held against one server on PostgreSQL.
import { afterAll, beforeAll, describe } from "vitest";
import { conformance } from "../../server/test/conformance/conformance.ts";
import { type ConformanceStack, startConformanceStack } from "./conformance-stack.ts";

let stack: ConformanceStack;
beforeAll(async () => {
  stack = await startConformanceStack(1);
});
afterAll(() => stack?.close());

describe("conformance of one server on PostgreSQL", () => {
  conformance(() => stack);
});
