// Delivers a verification code by mail.
export type CodeScenario = "register" | "reset_password" | "login" | "bind_email" | "bind_mobile";

export interface CodeMail {
  to: string;
  code: string;
  scenario: CodeScenario;
  locale: "zh_CN" | "en_US";
}

/** Resolves when the message was handed over; throws when it was not. Only the outbox logs the code: that is its purpose. */
export interface Mailer {
  readonly kind: "smtp" | "outbox";
  sendCode(mail: CodeMail): Promise<void>;
  close(): Promise<void>;
}
