import { expect, test } from "vitest";
import { isInterrupted, type MessageStatus } from "./message.ts";

test.each<[MessageStatus, boolean]>([
  ["WIP", false],
  ["FINISHED", false],
  ["INCOMPLETE", true],
  ["CONTENT_FILTER", true],
  ["CONTEXT_LENGTH_EXCEEDED", true],
  ["TIMEOUT", true],
])("a message that is %s: interrupted is %s [ENG-007] [ENG-008]", (status, interrupted) => {
  expect(isInterrupted(status)).toBe(interrupted);
});
