import { expect, test, vi } from "vitest";
import { warnWithoutMailer } from "./warn-without-mailer.ts";

test.each([
  [true, "outbox", 1],
  [true, "smtp", 0],
  [false, "outbox", 0],
])("in production %s with the mailer %s it warns %i times", (production, kind, times) => {
  const warn = vi.fn<(message: string) => void>();
  warnWithoutMailer({ config: { production }, ports: { mailer: { kind } }, log: { warn } } as never);
  expect(warn).toHaveBeenCalledTimes(times);
});
