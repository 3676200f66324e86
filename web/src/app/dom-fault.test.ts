import { expect, test } from "vitest";
import { isDomFault, takeReset } from "./dom-fault.ts";

const domError = (message: string) => Object.assign(new Error(message), { name: "NotFoundError" });

test("knows the browser's refusal to move a node from other errors", () => {
  expect(isDomFault(domError("Failed to execute 'insertBefore' on 'Node': …"))).toBe(true);
  expect(isDomFault(domError("Failed to execute 'removeChild' on 'Node': …"))).toBe(true);
  expect(isDomFault(domError("Node.insertBefore: Child to insert before is not a child of this node"))).toBe(
    true,
  );
  // Safari does not say what was tried.
  expect(isDomFault(domError("The object can not be found here."))).toBe(true);
  expect(isDomFault(domError("no such database"))).toBe(false);
  expect(isDomFault(new TypeError("insertBefore is not a function"))).toBe(false);
});

test("the page resets itself once a tab, and never where it can't remember [ERR-042]", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect(takeReset(() => storage)).toBe(true);
  expect(takeReset(() => storage)).toBe(false);
  const refused = () => {
    throw new Error("denied");
  };
  expect(takeReset(refused)).toBe(false);
});
