// Our protocol as a suite: whatever speaks docs/wire-contract.md can be held against it, by its address alone and the few
// hands of ConformanceTarget. Called while vitest collects; `target` is asked when the cases run.
import { describe } from "vitest";
import { accountCases } from "./account-cases.ts";
import { characterCases } from "./character-cases.ts";
import { checkOrderCases } from "./check-order-cases.ts";
import { closedSignUpCases } from "./closed-sign-up-cases.ts";
import type { ConformanceTarget } from "./conformance-target.ts";
import { envelopeCases } from "./envelope-cases.ts";
import { fileCases } from "./file-cases.ts";
import { lockCases } from "./lock-cases.ts";
import { rateCases } from "./rate-cases.ts";
import { resumeCases } from "./resume-cases.ts";
import { schemaCases } from "./schema-cases.ts";
import { sessionCases } from "./session-cases.ts";
import { shareCases } from "./share-cases.ts";
import { strangerCases } from "./stranger-cases.ts";
import { streamCases } from "./stream-cases.ts";
import { treeCases } from "./tree-cases.ts";
import { turnCases } from "./turn-cases.ts";
import { createWorld, type World } from "./world.ts";

const parts: [name: string, cases: (world: World) => void][] = [
  ["envelopes", envelopeCases],
  ["the order of checks", checkOrderCases],
  ["sign-up that is closed", closedSignUpCases],
  // Before the schemas, whose many sign-ins without an account use up the tries of such.
  ["accounts", accountCases],
  ["schemas", schemaCases],
  ["what is another's", strangerCases],
  ["sessions", sessionCases],
  ["personas", characterCases],
  ["files", fileCases],
  ["shares", shareCases],
  ["turns", turnCases],
  ["locks", lockCases],
  ["trees", treeCases],
  ["streams", streamCases],
  ["resuming and stopping", resumeCases],
  ["rates", rateCases],
];

/** Registers the cases. The server must run with `conformanceSettings`, its model behave as `markedPrompts` says. */
export function conformance(target: () => ConformanceTarget): void {
  const world = createWorld(target);
  describe.each(parts)("%s", (_name, cases) => {
    cases(world);
  });
}
