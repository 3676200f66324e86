import { expect, test, vi } from "vitest";
import { warnWithoutSender } from "./warn-without-sender.ts";

test.each([
  [{ production: true }, "outbox", "webhook", "No mailer is set"],
  [{ production: true }, "smtp", "outbox", null],
  [{ production: true, edition: "mainland" }, "smtp", "outbox", "No SMS gateway is set"],
  [{ production: true, edition: "mainland" }, "outbox", "webhook", null],
  [
    { production: true, edition: "mainland", mainlandEmailSignUp: false },
    "outbox",
    "outbox",
    "No SMS gateway is set",
  ],
  [{ production: true, mainlandEmailSignUp: false }, "smtp", "outbox", "MAINLAND_EMAIL_SIGN_UP is off"],
  [{ production: true, mainlandEmailSignUp: false }, "smtp", "webhook", null],
  [{ production: true, mainlandEmailSignUp: false, signUp: "invitation" }, "smtp", "outbox", null],
  [{ production: true, signUp: "invitation" }, "outbox", "outbox", null],
  [{ production: false }, "outbox", "outbox", null],
])("with %j, the mailer %s and the SMS sender %s it says %s", (changes, mailer, smsSender, said) => {
  const warn = vi.fn<(message: string) => void>();
  const config = { edition: "international", signUp: "open", mainlandEmailSignUp: true, ...changes };
  const ports = { mailer: { kind: mailer }, smsSender: { kind: smsSender } };
  warnWithoutSender({ config, ports, log: { warn } } as never);
  expect(warn.mock.calls.flat().map((message) => message.split(" and ")[0])).toEqual(
    said === null ? [] : [said],
  );
});
