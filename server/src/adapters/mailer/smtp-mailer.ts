// Codes and notices by mail over SMTP, as text and as HTML (docs/decisions/0053-nodemailer.md).
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import { createTransport } from "nodemailer";
import { codeMailText } from "../../platform/code-texts.ts";
import { codeOf } from "../../platform/error-words.ts";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { noticeMailText } from "../../platform/notice-texts.ts";
import type { CodeMail, Mailer, NoticeMail } from "../../ports/mailer.ts";

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

/** Why a mail was not handed over, without the address, the code, the link or the server's own words, which may repeat them. */
class NotSent extends Error {}

interface Composed {
  subject: string;
  text: string;
  html: string;
}

/** Subject and both bodies of the mail with a code. */
export function composeCodeMail(
  { code, locale }: Pick<CodeMail, "code" | "locale">,
  brandName: string,
): Composed {
  const { subject, before, after } = codeMailText(brandName, locale);
  const shownCode = `<p style="margin:0 0 12px;font-size:28px;font-weight:600;letter-spacing:4px">${code}</p>`;
  return {
    subject,
    text: [before, code, ...after].join("\n\n"),
    html: page(brandName, locale, [paragraph(before), shownCode, ...after.map(paragraph)]),
  };
}

/** The same of a notice. */
function composeNoticeMail(
  { notice, locale }: Pick<NoticeMail, "notice" | "locale">,
  brandName: string,
): Composed {
  const { subject, before, after } = noticeMailText(notice, brandName, locale);
  const { link } = notice;
  const href = link === null ? "" : escapeHtml(link);
  const shownLink = `<p style="margin:0 0 12px;word-break:break-all"><a href="${href}">${href}</a></p>`;
  return {
    subject,
    text: [...before, ...(link === null ? [] : [link]), ...after].join("\n\n"),
    html: page(brandName, locale, [
      ...before.map(paragraph),
      ...(link === null ? [] : [shownLink]),
      ...after.map(paragraph),
    ]),
  };
}

const paragraph = (text: string): string => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`;

function page(brandName: string, locale: Locale, paragraphs: readonly string[]): string {
  return [
    `<!doctype html><html lang="${locale === "zh_CN" ? "zh-CN" : "en"}"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1f1f1f;background:#ffffff">`,
    `<p style="margin:0 0 12px;font-weight:600">${escapeHtml(brandName)}</p>`,
    ...paragraphs,
    "</body></html>",
  ].join("\n");
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

  async function send(address: string, composed: Composed): Promise<void> {
    const { rejected } = await transport
      .sendMail({
        from,
        to: { name: "", address },
        ...composed,
        headers: { "Auto-Submitted": "auto-generated" },
      })
      .catch((error: unknown) => {
        const status = (error as { responseCode?: unknown }).responseCode;
        const words = typeof status === "number" ? `answered ${status}` : (codeOf(error) ?? "failed");
        throw new NotSent(`the mail server: ${words}`);
      });
    if (rejected.length > 0) throw new NotSent("the mail server: it refused the recipient");
  }

  return {
    kind: "smtp",
    sendCode: (mail) => send(mail.to, composeCodeMail(mail, brandName)),
    sendNotice: (mail) => send(mail.to, composeNoticeMail(mail, brandName)),
    close: async () => transport.close(),
  };
}
