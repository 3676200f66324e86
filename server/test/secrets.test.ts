// What is secret or says who somebody is stands in no log, no error and no address: tried with values that nothing else says.
import { randomBytes } from "node:crypto";
import { currentUser, logout } from "@plumb/protocol/wire/accounts";
import { downloadExportHistory, exportAll } from "@plumb/protocol/wire/exports";
import { previewFile } from "@plumb/protocol/wire/files";
import { bindMobile, endSignIn, signIns, unregister } from "@plumb/protocol/wire/own-account";
import { emailResetPassword } from "@plumb/protocol/wire/reset-password";
import { createSession } from "@plumb/protocol/wire/sessions";
import { login } from "@plumb/protocol/wire/sign-in";
import { completion } from "@plumb/protocol/wire/turns";
import {
  createEmailVerificationCode,
  createSmsVerificationCode,
} from "@plumb/protocol/wire/verification-codes";
import { describe, expect, it } from "vitest";
import { createLogger } from "../src/platform/logger.ts";
import { testApps } from "./test-apps.ts";
import { engines } from "./test-databases.ts";

const word = (name: string) => `${name}${randomBytes(9).toString("hex")}`;

describe.each(engines)("secrets on %s", (engine) => {
  const lines: string[] = [];
  const log = createLogger("trace", { write: (line) => void lines.push(line) });
  const secretKey = word("serverkey");
  const open = testApps({
    engine,
    log,
    settings: { SECRET_KEY: secretKey, MODEL_API_KEY: word("modelkey") },
  });

  it("stand in no line of the log and in no answer to anybody else, whatever was done with them", async () => {
    const app = await open();
    const secrets = new Map<string, string>();
    const answers: string[] = [];
    const password = word("Pass-");
    const name = word("person");
    const email = `${name}@example.org`;
    const person = app.client();
    const user = await person.signUp(email, password);
    secrets.set("password", password).set("address", name).set("token", user.token);
    secrets.set("code of the sign-up", app.mails.at(-1)?.code ?? "");

    // Wrong, malformed and right sign-ins.
    const wrong = word("Wrong-");
    secrets.set("wrong password", wrong);
    for (const input of [
      { email, password: wrong },
      { email, password: [wrong] as unknown as string },
      { email: `${name} at nowhere`, password },
    ])
      answers.push(JSON.stringify((await app.client().call(login, input)).envelope));
    const other = app.client();
    other.token = (await other.ok(login, { email, password })).user.token;
    secrets.set("second token", other.token);

    // Tokens where they do not belong.
    for (const path of [
      `/api/v0/users/current?token=${user.token}&access_token=${user.token}`,
      `/api/v0/file/raw?token=${user.token}`,
      `/api/v0/export/file?token=${user.token}`,
      `/no/such/${user.token}`,
      `/share/${user.token}`,
    ])
      answers.push(await (await app.client().request(path)).text());
    answers.push(
      await (
        await app
          .client()
          .request("/api/v0/users/login", { method: "POST", body: `{"password":"${password}"` })
      ).text(),
    );

    // What people write, and links to what is theirs.
    const secretWord = word("xylophone");
    secrets.set("prompt", secretWord);
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt: secretWord })
    ).ended;
    const file = await person.uploaded(`${word("name")}.txt`, secretWord);
    const { url } = (await person.ok(previewFile, { file_id: file.id })) as unknown as { url: string | null };
    if (url !== null) {
      const link = new URL(url, app.address);
      secrets.set("link to a file", link.searchParams.get("token") ?? url);
      await (await app.client().request(link.pathname + link.search)).text();
    }
    await person.ok(exportAll, {});
    await expect
      .poll(async () => (await person.ok(downloadExportHistory, {})).status, { timeout: 20_000 })
      .toBe("FINISHED");
    const exported = await person.ok(downloadExportHistory, {});
    const link = new URL(exported.history_download_url ?? "", app.address);
    secrets.set("link to an export", link.searchParams.get("token") ?? "");
    await (await app.client().request(link.pathname + link.search)).arrayBuffer();

    // A phone, a reset, the end of sign-ins and of the account.
    const mobile = `139${String(randomBytes(4).readUInt32BE() % 100_000_000).padStart(8, "0")}`;
    secrets.set("phone", mobile);
    await person.ok(createSmsVerificationCode, { mobile_number: mobile, scenario: "bind_mobile" });
    const code = app.texts.at(-1)?.code ?? "";
    await person.ok(bindMobile, { mobile_number: mobile, sms_verification_code: code });
    const [first] = (await person.ok(signIns, {})).sign_ins.filter(({ current }) => !current);
    await person.ok(endSignIn, { id: first?.id ?? "" });
    await person.ok(createEmailVerificationCode, { email, scenario: "reset_password" });
    const fresh = word("Fresh-");
    secrets.set("new password", fresh);
    const reset = { email, email_verification_code: app.mails.at(-1)?.code ?? "", password: fresh };
    await person.ok(emailResetPassword, reset);
    person.token = (await person.ok(login, { email, password: fresh })).user.token;
    secrets.set("third token", person.token);
    await person.ok(currentUser, {});
    await person.another().ok(logout, {});
    person.token = (await person.ok(login, { email, password: fresh })).user.token;
    secrets.set("fourth token", person.token);
    await person.ok(unregister, {});
    secrets.set("server key", secretKey).set("model key", app.config.model.apiKey ?? "none");

    expect(lines.length).toBeGreaterThan(10);
    expect([...secrets.values()]).not.toContain("");
    const said = lines.join("");
    // Six digits stand in many numbers by chance: a code is looked for as a word of its own.
    const isIn = (text: string, secret: string) =>
      /^\d{6}$/u.test(secret)
        ? new RegExp(`(?<!\\d)${secret}(?!\\d)`, "u").test(text)
        : text.includes(secret);
    expect([...secrets].filter(([, secret]) => isIn(said, secret)).map(([what]) => what)).toEqual([]);
    const told = answers.join("");
    expect([...secrets].filter(([, secret]) => isIn(told, secret)).map(([what]) => what)).toEqual([]);
  }, 60_000);
});
