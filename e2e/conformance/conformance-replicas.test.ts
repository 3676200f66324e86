// Our protocol, held against three servers on PostgreSQL behind a balancer without affinity.
import { afterAll, beforeAll, describe } from "vitest";
import { conformance } from "../../server/test/conformance/conformance.ts";
import { type ConformanceStack, startConformanceStack } from "./conformance-stack.ts";

let stack: ConformanceStack;
beforeAll(async () => {
  stack = await startConformanceStack(3);
});
afterAll(() => stack?.close());

describe("conformance of three servers on PostgreSQL behind a balancer without affinity", () => {
  conformance(() => stack);
});
