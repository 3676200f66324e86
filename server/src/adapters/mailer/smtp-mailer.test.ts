import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import type { Mailer } from "../../ports/mailer.ts";
import { composeCodeMail, createSmtpMailer } from "./smtp-mailer.ts";

interface Received {
  from: string;
  to: string[];
  user: string | undefined;
  raw: string;
}

const mail = { to: "someone@example.com", code: "012345", scenario: "register", locale: "en_US" } as const;

describe("a mailer over SMTP", () => {
  let server: SMTPServer;
  let mailer: Mailer;
  let received: Received[];

  afterEach(async () => {
    await mailer.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  /** A mail server on a free port, and a mailer that knows it. */
  async function open(
    options: SMTPServerOptions = {},
    { user = "", brandName = "Plumb" }: { user?: string; brandName?: string } = {},
  ): Promise<void> {
    received = [];
    server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      onAuth: ({ username, password }, _session, done) =>
        password === "p@ss" ? done(null, { user: username ?? "" }) : done(new Error("no")),
      onData(stream, session, done) {
        let raw = "";
        stream.on("data", (chunk: Buffer) => (raw += chunk.toString("latin1")));
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom === false ? "" : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            user: session.user === undefined ? undefined : String(session.user),
            raw,
          });
          done();
        });
      },
      ...options,
    });
    server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    const { port } = server.server.address() as AddressInfo;
    mailer = createSmtpMailer({
      url: `smtp://${user}127.0.0.1:${port}`,
      from: `${brandName} <plumb@example.org>`,
      brandName,
      stepMs: 1000,
    });
  }

  /** Headers and the two bodies of a mail, decoded. */
  function read(raw: string): { head: string; text: string; html: string } {
    const [head = ""] = raw.split("\r\n\r\n");
    const boundary = /boundary="([^"]+)"/u.exec(head)?.[1] ?? "none";
    const parts = raw.split(`--${boundary}`).slice(1, -1);
    const bodyOf = (type: string): string => {
      const part = parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? "";
      const [partHead = "", ...rest] = part.split("\r\n\r\n");
      const body = rest.join("\r\n\r\n");
      if (/base64/u.test(partHead)) return Buffer.from(body, "base64").toString("utf8");
      if (!/quoted-printable/u.test(partHead)) return body;
      const bytes = body
        .replace(/=\r\n/gu, "")
        .replace(/=([0-9A-F]{2})/gu, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, "latin1").toString("utf8");
    };
    return { head, text: bodyOf("text/plain"), html: bodyOf("text/html") };
  }

  test("delivers one mail with the code as text and as HTML, signed in with the address's name and password", async () => {
    await open({ authOptional: false }, { user: "some%40one:p%40ss@" });
    expect(mailer.kind).toBe("smtp");
    await mailer.sendCode(mail);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      from: "plumb@example.org",
      to: ["someone@example.com"],
      user: "some@one",
    });
    const { head, text, html } = read(received[0]?.raw ?? "");
    expect(head).toContain("From: Plumb <plumb@example.org>");
    expect(head).toContain("Subject: Your Plumb verification code");
    expect(head).toContain("Auto-Submitted: auto-generated");
    expect(head).not.toContain(mail.code);
    for (const body of [text, html]) {
      expect(body).toContain("Your verification code is:");
      expect(body).toContain(mail.code);
      expect(body).toContain("It is good for 10 minutes.");
    }
  });

  test("delivers a notice with its link as text and as HTML, and one without a link", async () => {
    await open();
    const link = "https://chat.example.org/undo_binding#a-b_c";
    const to = "someone@example.com";
    await mailer.sendNotice({ to, notice: { about: "phone_bound", link }, locale: "en_US" });
    const bound = read(received[0]?.raw ?? "");
    expect(bound.head).toContain("Subject: A phone number was added to your Plumb account");
    for (const body of [bound.text, bound.html]) expect(body).toContain("within 72 hours");
    expect(bound.text.split(/\r?\n/u)).toContain(link);
    expect(bound.html).toContain(`<a href="${link}">${link}</a>`);
    const notice = { about: "password_changed", link: null } as const;
    await mailer.sendNotice({ to, notice, locale: "zh_CN" });
    const changed = read(received[1]?.raw ?? "");
    for (const body of [changed.text, changed.html]) expect(body).toContain("密码已被修改");
    expect(changed.html).not.toContain("<a ");
  });

  test("writes to a Chinese reader in Chinese", async () => {
    await open();
    await mailer.sendCode({ ...mail, locale: "zh_CN" });
    const { text, html } = read(received[0]?.raw ?? "");
    for (const body of [text, html]) expect(body).toContain("验证码 10 分钟内有效，请勿告知他人。");
    expect(html).toContain('lang="zh-CN"');
  });

  test.each([
    [
      "refuses the recipient",
      {
        onRcptTo: (_address: unknown, _session: unknown, done: (error: Error) => void) =>
          done(Object.assign(new Error("who is someone@example.com"), { responseCode: 550 })),
      },
      "the mail server: answered 550",
    ],
    [
      "has no room",
      {
        onMailFrom: (_address: unknown, _session: unknown, done: (error: Error) => void) =>
          done(Object.assign(new Error("later"), { responseCode: 452 })),
      },
      "the mail server: answered 452",
    ],
    ["wants a password", { authOptional: false }, "the mail server: answered 530"],
    [
      "says nothing",
      { onConnect: () => {} },
      // Its greeting never comes.
      "the mail server: ETIMEDOUT",
    ],
  ])("throws, and says neither address nor code, where the server %s", async (_name, options, why) => {
    await open(options as SMTPServerOptions);
    const failed = (await mailer.sendCode(mail).catch((error: unknown) => error)) as Error;
    expect(failed.message).toBe(why);
    expect(received).toEqual([]);
  });

  test("throws where there is no server", async () => {
    await open();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await expect(mailer.sendCode(mail)).rejects.toThrow("the mail server: ");
  });
});

test("what the operator calls the place is no HTML", () => {
  const { html, text } = composeCodeMail(mail, "<b>A & B</b>");
  expect(html).toContain("&lt;b&gt;A &amp; B&lt;/b&gt;");
  expect(html).not.toContain("<b>");
  expect(text).not.toContain("&lt;");
});
