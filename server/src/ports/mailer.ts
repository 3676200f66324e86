// Delivers verification codes and notices by mail.
export type CodeScenario = "register" | "reset_password" | "login" | "bind_email" | "bind_mobile" | "confirm";

/** What the owner of an account is told of it. */
export type Notice =
  | {
      about: "phone_bound" | "wechat_bound" | "google_bound";
      /** Undoes the binding for 72 hours. It is a secret. */
      link: string;
    }
  | { about: "phone_unbound" | "wechat_unbound" | "google_unbound" | "password_changed"; link: null };

export interface NoticeMail {
  to: string;
  notice: Notice;
  locale: "zh_CN" | "en_US";
}

export interface CodeMail {
  to: string;
  code: string;
  scenario: CodeScenario;
  locale: "zh_CN" | "en_US";
}

/** Resolves when the message was handed over; throws when it was not. Only the outbox logs a code: that is its purpose. */
export interface Mailer {
  readonly kind: "smtp" | "outbox";
  sendCode(mail: CodeMail): Promise<void>;
  sendNotice(mail: NoticeMail): Promise<void>;
  close(): Promise<void>;
}
