import { expect, it } from "vitest";
import { reasonIn } from "./failure.mjs";

it.each([
  ["npm error code ENOSPC", "disk is full"],
  ["npm error code EAI_AGAIN\nnpm error request to registry failed", "cannot be reached"],
  ["npm error code EUSAGE", "disagree"],
  ["npm error code EACCES", "may not be written"],
  ["npm error code EINTEGRITY", "differs from the one that was pinned"],
])("explains %j", (output, part) => {
  expect(reasonIn(output)).toContain(part);
});

it("says nothing about what it does not know", () => {
  expect(reasonIn("npm error something else")).toBeUndefined();
});
