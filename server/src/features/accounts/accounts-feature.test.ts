import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestApp } from "../../../test/create-test-app.ts";
import { SkippingClock } from "../../../test/test-clock.ts";
import { appendToOutbox } from "../../platform/outbox.ts";

test("whom a code was sent to through the outbox stands there for less than a day", async () => {
  const clock = new SkippingClock();
  const app = await createTestApp({ clock });
  try {
    const { dataDir } = app.config;
    const send = (to: string) =>
      appendToOutbox(dataDir, {
        at: new Date(clock.now()).toISOString(),
        channel: "email",
        to,
        scenario: "register",
        code: "012345",
      });
    await send("yesterday@example.org");
    clock.skip(24 * 3_600_000);
    await expect.poll(() => readFileSync(join(dataDir, "outbox.jsonl"), "utf8")).toBe("");
    await send("today@example.org");
    clock.skip(3_600_000);
    expect(readFileSync(join(dataDir, "outbox.jsonl"), "utf8")).toContain("today@example.org");
  } finally {
    await app.close();
  }
});
