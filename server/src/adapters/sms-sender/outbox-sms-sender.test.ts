import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { TestClock } from "../../../test/test-clock.ts";
import { createOutboxSmsSender } from "./outbox-sms-sender.ts";

test("a text message stands in the outbox as one line", async () => {
  const dataDir = temporaryFolder("sms");
  const sender = createOutboxSmsSender({ dataDir, log: pino({ level: "silent" }), clock: new TestClock() });
  expect(sender.kind).toBe("outbox");
  await sender.sendCode({ to: "+8613812345678", code: "012345", scenario: "login", locale: "zh_CN" });
  expect(readFileSync(join(dataDir, "outbox.jsonl"), "utf8")).toBe(
    '{"at":"2027-01-15T08:00:00.000Z","channel":"sms","to":"+8613812345678","scenario":"login","code":"012345"}\n',
  );
  const notice = { about: "password_changed", link: null } as const;
  await sender.sendNotice({ to: "+8613812345678", notice, locale: "zh_CN" });
  expect(readFileSync(join(dataDir, "outbox.jsonl"), "utf8").split("\n")[1]).toBe(
    '{"at":"2027-01-15T08:00:00.000Z","channel":"sms","to":"+8613812345678","scenario":"password_changed","link":null}',
  );
  await sender.close();
});
