// Codes by mail over SMTP, as text and as HTML (docs/decisions/0053-nodemailer.md).
import { createTransport } from "nodemailer";
import { codeMailText } from "../../platform/code-texts.ts";
import { codeOf } from "../../platform/error-words.ts";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import type { CodeMail, Mailer } from "../../ports/mailer.ts";

/** Each step of the conversation; a page waits for its end. */
const STEP_MS = 10_000;

export interface SmtpOptions {
  /** `smtp://user:password@host:587`, or `smtps://…`. */
  url: string;
  /** `plumb@example.com`, or with a name: `Plumb <plumb@example.com>`. */
  from: string;
  brandName: string;
  /** Milliseconds; shorter in tests. */
  stepMs?: number;
}

/** Why a mail was not handed over, without the address, the code or the server's own words, which may repeat them. */
class NotSent extends Error {}

/** Subject and both bodies of the mail with a code. */
export function composeCodeMail(
  { code, locale }: Pick<CodeMail, "code" | "locale">,
  brandName: string,
): { subject: string; text: string; html: string } {
  const { subject, before, after } = codeMailText(brandName, locale);
  const paragraph = (text: string) => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`;
  const html = [
    `<!doctype html><html lang="${locale === "zh_CN" ? "zh-CN" : "en"}"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1f1f1f;background:#ffffff">`,
    `<p style="margin:0 0 12px;font-weight:600">${escapeHtml(brandName)}</p>`,
    paragraph(before),
    `<p style="margin:0 0 12px;font-size:28px;font-weight:600;letter-spacing:4px">${code}</p>`,
    ...after.map(paragraph),
    "</body></html>",
  ].join("\n");
  return { subject, text: [before, code, ...after].join("\n\n"), html };
}

export function createSmtpMailer({ url, from, brandName, stepMs = STEP_MS }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    kind: "smtp",
    async sendCode(mail) {
      const { rejected } = await transport
        .sendMail({
          from,
          to: { name: "", address: mail.to },
          ...composeCodeMail(mail, brandName),
          headers: { "Auto-Submitted": "auto-generated" },
        })
        .catch((error: unknown) => {
          const status = (error as { responseCode?: unknown }).responseCode;
          const words = typeof status === "number" ? `answered ${status}` : (codeOf(error) ?? "failed");
          throw new NotSent(`the mail server: ${words}`);
        });
      if (rejected.length > 0) throw new NotSent("the mail server: it refused the recipient");
    },
    close: async () => transport.close(),
  };
}
