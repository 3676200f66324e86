import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { currentUser, featureQuota } from "@plumb/protocol/wire/accounts";
import { searchSessions } from "@plumb/protocol/wire/history";
import { login } from "@plumb/protocol/wire/sign-in";
import { register } from "@plumb/protocol/wire/sign-up";
import { createSession, deleteSession } from "@plumb/protocol/wire/sessions";
import { createShare, deleteShare, forkShare, shareContent } from "@plumb/protocol/wire/sharing";
import type { Banner } from "@plumb/protocol/wire/site";
import { completion } from "@plumb/protocol/wire/turns";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../test/create-test-app.ts";
import { storeHistory } from "../test/history/stored-history.ts";
import { operate as operateOn } from "../test/operate.ts";
import type { TestClient } from "../test/test-client.ts";
import { engines } from "../test/test-databases.ts";
import { keepAddress } from "./platform/kept-address.ts";
import { chargeThinking } from "./features/guard/thinking-quota.ts";
import { indexMessage } from "./features/sessions/index-history.ts";
import { indexWaiting } from "./features/sessions/index-waiting.ts";
import { systemClock } from "./ports/clock.ts";

describe.each(engines)("accounts by the operator, beside a server on %s", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ engine });
  });
  afterAll(() => app.close());

  function operate(...words: string[]) {
    const { databaseUrl, dataDir } = app.database;
    const settings = {
      DATA_DIR: dataDir,
      SECRET_KEY: "a key for tests only",
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    };
    return operateOn({ settings, cwd: dataDir }, ...words);
  }
  const codeOf = async (person: TestClient) => (await person.call(currentUser, {})).envelope.code;
  const signInWith = async (email: string) => {
    const person = app.client();
    const answer = await person.call(login, { email, password: "correct horse" });
    return { bizCode: answer.envelope.data?.biz_code, token: answer.data?.user?.token ?? null };
  };

  it("unbind takes a phone with the password that came by it, and never the last way in", async () => {
    const person = app.client();
    await person.signUp("bound@example.org", "correct horse");
    const { id } = person.user ?? { id: "" };
    const setUser = (values: object) =>
      app.db.kysely.updateTable("users").set(values).where("id", "=", id).execute();
    await setUser({ mobile: "13800000777", mobile_bound_at: 5, password_proved_by: "phone" });
    const unbind = (who: string, kind: string) => operate("unbind", who, kind);
    expect((await unbind("bound@example.org", "email")).stderr).toBe(
      "email is none of phone, wechat, google.\n",
    );
    expect((await unbind("bound@example.org", "wechat")).stderr).toBe("bound@example.org has no WeChat.\n");
    expect(await unbind("13800000777", "phone")).toEqual({
      status: 0,
      stdout: "bound@example.org has no phone any more, and is signed out everywhere.\n",
      stderr: "",
    });
    await expect.poll(() => codeOf(person), { interval: 20 }).toBe(40003);
    expect(await signInWith("bound@example.org")).toEqual({ bizCode: 2, token: null });
    const row = await app.db.kysely.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
    expect(row).toMatchObject({ mobile: null, mobile_bound_at: null, password_hash: null });

    await setUser({ email: null, mobile: "13800000777" });
    const last = await unbind(id, "phone");
    expect([last.status, last.stderr]).toEqual([
      1,
      "Nobody could sign in to 13800000777 without its phone: it stays.\n",
    ]);
  });

  it("a ban refuses every token with 40012 and the sign-in with 10; lifted, people sign in again [ACCT-051]", async () => {
    const banned = app.client();
    await banned.signUp("banned@example.org", "correct horse");
    const elsewhere = banned.another();
    const bystander = await app.signedIn();
    expect([await codeOf(banned), await codeOf(elsewhere)]).toEqual([0, 0]);

    expect(await operate("ban", "Banned@example.org")).toEqual({
      status: 0,
      stdout: "banned@example.org is banned and signed out everywhere.\n",
      stderr: "",
    });
    await expect.poll(() => codeOf(banned), { interval: 20 }).toBe(40012);
    expect(await codeOf(bystander)).toBe(0);
    expect(await signInWith("banned@example.org")).toEqual({ bizCode: 10, token: null });
    expect((await operate("ban", banned.user?.id ?? "")).stdout).toBe(
      "banned@example.org is banned already.\n",
    );
    expect((await operate("users", "show", "banned@example.org")).stdout).toMatch(
      /^status +banned since 2/mu,
    );

    expect((await operate("unban", "banned@example.org")).stdout).toBe(
      "banned@example.org may sign in again.\n",
    );
    await expect.poll(() => codeOf(elsewhere), { interval: 20 }).toBe(40003);
    const back = app.client();
    const { bizCode, token } = await signInWith("banned@example.org");
    expect(bizCode).toBe(0);
    back.token = token;
    await expect.poll(() => codeOf(back), { interval: 20 }).toBe(0);
    expect((await operate("unban", "banned@example.org")).stdout).toBe("banned@example.org is not banned.\n");
  }, 60_000);

  it("a mute lets people read and not write, until it ends or is lifted [ACCT-053] [ACCT-055]", async () => {
    const muted = app.client();
    await muted.signUp("muted@example.org", "correct horse");
    const session = (await muted.ok(createSession, {})).id;
    const send = async () => {
      const { envelope } = await muted.call(completion, { chat_session_id: session, prompt: " " });
      return envelope.data?.biz_code;
    };
    expect(await send()).toBe(6);
    const until = Math.ceil(Date.now() / 1000 / 3600) * 3600 + 86_400;
    const moment = new Date(until * 1000).toISOString();
    expect(await operate("mute", "muted@example.org", "--until", moment)).toEqual({
      status: 0,
      stdout: `muted@example.org is muted until ${moment}.\n`,
      stderr: "",
    });
    await expect.poll(send, { interval: 20 }).toBe(5);
    expect((await muted.ok(currentUser, {})).chat).toEqual({ is_muted: 1, mute_until: until });
    expect((await muted.call(createSession, {})).envelope.code).toBe(0);
    expect((await operate("users", "show", "muted@example.org")).stdout).toMatch(/^status +muted until 2/mu);
    expect((await operate("unmute", "muted@example.org")).stdout).toBe(
      "muted@example.org may write again.\n",
    );
    await expect.poll(send, { interval: 20 }).toBe(6);
    expect((await operate("unmute", "muted@example.org")).stdout).toBe("muted@example.org is not muted.\n");
    expect(await operate("mute", "muted@example.org", "--until", "yesterday")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("--until yesterday is no time"),
    });
    for (const wrong of [
      ["mute", "muted@example.org"],
      ["mute", "muted@example.org", "--for", "7d"],
      ["unmute"],
    ]) {
      expect(await operate(...wrong)).toMatchObject({ status: 2, stderr: expect.stringContaining("Usage:") });
    }
    expect((await muted.ok(currentUser, {})).chat.is_muted).toBe(0);
  }, 60_000);

  it("a review lets people read and not write, until it ends [ACCT-050]", async () => {
    const person = app.client();
    await person.signUp("reviewed@example.org", "correct horse");
    const session = (await person.ok(createSession, {})).id;
    const send = async () => {
      const { envelope } = await person.call(completion, { chat_session_id: session, prompt: " " });
      return envelope.code === 0 ? envelope.data?.biz_code : envelope.code;
    };
    expect(await operate("review", "reviewed@example.org")).toEqual({
      status: 0,
      stdout: "reviewed@example.org is under review and cannot write.\n",
      stderr: "",
    });
    await expect.poll(send, { interval: 20 }).toBe(40014);
    expect((await operate("users", "show", "reviewed@example.org")).stdout).toMatch(
      /^status +under review$/mu,
    );
    expect((await operate("review", "reviewed@example.org")).stdout).toMatch(/ under review already\.\n$/u);
    expect((await operate("unreview", "reviewed@example.org")).stdout).toMatch(/ may write again\.\n$/u);
    await expect.poll(send, { interval: 20 }).toBe(6);
    expect((await operate("unreview", "reviewed@example.org")).stdout).toMatch(/ is not under review\.\n$/u);
  }, 60_000);

  it("makes an account, and gives it another password that signs it out everywhere", async () => {
    const passwordIn = ({ stdout }: { stdout: string }) =>
      /shown again: (\S{16})\n$/u.exec(stdout)?.[1] ?? "";
    const made = await operate("create-user", "Made@Example.org");
    expect(made.stdout).toMatch(/^made@example\.org has an account now, [0-9a-f-]{36}\. /u);
    const person = app.client();
    const signIn = async (password: string) => {
      const answer = await person.call(login, { email: "made@example.org", password });
      person.token = answer.data?.user?.token ?? null;
      return answer.envelope.data?.biz_code;
    };
    expect(await signIn(passwordIn(made))).toBe(0);
    expect(await codeOf(person)).toBe(0);
    expect((await operate("create-user", "made@example.org")).stderr).toBe(
      "made@example.org has an account already.\n",
    );
    expect((await operate("create-user", "made at example")).stderr).toMatch(/ is no e-mail address\.\n$/u);
    const reset = await operate("reset-password", "made@example.org");
    await expect.poll(() => codeOf(person), { interval: 20 }).toBe(40003);
    expect(await signIn(passwordIn(made))).toBe(2);
    expect(await signIn(passwordIn(reset))).toBe(0);
    // Who was locked out by what had failed before can use it at once.
    const counted = { window_start: 0, count: 20, expires_at: Date.now() + 900_000 };
    const id = /now, ([0-9a-f-]{36})/u.exec(made.stdout)?.[1] ?? "";
    const keys = ["", ":192.0.2.1"].map((end) => `failed_password:${id}${end}`);
    await app.db.kysely
      .insertInto("rate_counters")
      .values(keys.map((key) => ({ key, ...counted })))
      .onConflict((row) => row.columns(["key", "window_start"]).doUpdateSet(counted))
      .execute();
    await operate("reset-password", "made@example.org");
    expect(
      await app.db.kysely.selectFrom("rate_counters").select("key").where("key", "in", keys).execute(),
    ).toEqual([]);
  }, 60_000);

  it("invites whoever has the link, or one address alone", async () => {
    const linkIn = ({ stdout }: { stdout: string }) => new URL(/ days: (\S+)\n/u.exec(stdout)?.[1] ?? "");
    const accept = async (email: string, link: URL) => {
      const payload = { email, password: "correct horse", invitation: link.searchParams.get("invitation") };
      return (await app.client().call(register, { payload })).envelope.data?.biz_code;
    };
    const anybody = await operate("invite");
    expect(anybody.stdout).toMatch(
      /^One person can sign up within seven days: http:\/\/127\.0\.0\.1:3000\/sign_up\?invitation=open-[\w-]{43}\nOnly this machine can open it\./u,
    );
    expect(await accept("invited@example.org", linkIn(anybody))).toBe(0);
    expect(await accept("another@example.org", linkIn(anybody))).toBe(10);
    // Where the server listens is known from its start.
    keepAddress(app.database.dataDir, { host: "0.0.0.0", port: 4321 }, pino({ level: "silent" }));
    const named = await operate("invite", "Named@Example.org");
    expect(linkIn(named).origin).toBe("http://localhost:4321");
    expect(named.stdout).not.toContain("Only this machine");
    expect(named.stdout).toMatch(/^named@example\.org can sign up within seven days: /u);
    expect(await accept("another@example.org", linkIn(named))).toBe(10);
    expect(await accept("named@example.org", linkIn(named))).toBe(0);
    expect((await operate("invite", "named@example.org")).stderr).toMatch(/ has an account already\.\n$/u);
    expect((await operate("invite", "nobody")).stderr).toMatch(/ is no e-mail address\.\n$/u);
  }, 60_000);

  it("tells how much of the day's deep thinking is used, and gives it back", async () => {
    const person = app.client();
    const { id } = await person.signUp("thinks@example.org");
    await chargeThinking(app.db.kysely, 50, id, Date.now());
    expect((await operate("quota", "thinks@example.org")).stdout).toBe(
      "thinks@example.org has used 1 message with deep thinking today; 50 a day.\n" +
        "0.0 MB of its chats, files and copies are stored; 10240 MB may be.\n",
    );
    expect((await operate("quota", "recount")).stdout).toBe("All counts were right.\n");
    expect((await operate("quota", "reset", "thinks@example.org")).status).toBe(0);
    expect((await person.ok(featureQuota, {})).thinking.used).toBe(0);
  }, 60_000);

  it("announces to everybody, from words or a document, and takes it away", async () => {
    const announced = async () => (await fetch(`${app.address}/downloads/status.json`)).json();
    expect((await operate("banner", "show")).stdout).toBe("There is no announcement.\n");
    expect((await operate("banner", "set", "We move house on Sunday.")).stdout).toBe(
      "The announcement is set.\n",
    );
    const text = "We move house on Sunday.";
    await expect.poll(announced, { interval: 50 }).toEqual({
      id: expect.stringMatching(/^\d+$/u),
      items: [{ show: true, type: "info", closable: true, content: { en_US: text, zh_CN: text } }],
    });
    expect(JSON.parse((await operate("banner", "show")).stdout)).toEqual(await announced());
    for (const signs of ["-- We move house --", "--今晚维护"]) {
      expect(await operate("banner", "set", signs)).toMatchObject({ status: 0, stderr: "" });
      await expect.poll(async () => ((await announced()) as Banner).items[0]?.content.en_US).toBe(signs);
    }
    const file = join(app.database.dataDir, "announcement.json");
    const items = [
      { show: true, type: "warning", closable: false, content: { en_US: "Soon", zh_CN: "即将" } },
    ];
    writeFileSync(file, JSON.stringify({ id: "moved", items }));
    await operate("banner", "set", `@${file}`);
    await expect.poll(announced, { interval: 50 }).toEqual({ id: "moved", items });
    writeFileSync(file, JSON.stringify({ items: [{ type: "loud" }] }));
    expect(await operate("banner", "set", `@${file}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is no announcement"),
    });
    expect((await operate("banner", "set", "@/nowhere")).stderr).toMatch(/cannot be read/u);
    expect((await operate("banner", "clear")).stdout).toBe("There is no announcement any more.\n");
    await expect.poll(announced, { interval: 50 }).toEqual({ id: 0, items: [] });
  }, 60_000);

  it.runIf(engine === "postgres")(
    "waits for what takes longer than a request may",
    async () => {
      const { openAnother } = app.database;
      const holder = await openAnother();
      try {
        const listing = await holder.transaction(async (trx) => {
          await sql`lock table users in access exclusive mode`.execute(trx);
          const child = operate("users", "list");
          // Longer than the limit of statements, and no statement of its own takes as long.
          for (let second = 0; second < 8; second += 1) await sql`select pg_sleep(1)`.execute(trx);
          // In a list: it waits for the end of this transaction, and is not to be waited for in it.
          return [child];
        });
        expect(await Promise.all(listing)).toMatchObject([{ status: 0, stderr: "" }]);
      } finally {
        await holder.close();
      }
    },
    60_000,
  );

  it("disables a shared chat and lets it be read again", async () => {
    const person = await app.signedIn();
    const { id } = await person.ok(createSession, {});
    await (
      await person.stream(completion, { chat_session_id: id, prompt: "Shared" })
    ).ended;
    const { share_id } = await person.ok(createShare, { chat_session_id: id, message_ids: [1, 2] });
    const codeOfReading = async () =>
      (await app.client().call(shareContent, { share_id })).envelope.data?.biz_code;
    expect(await codeOfReading()).toBe(0);
    expect(await operate("share", "disable", share_id)).toEqual({
      status: 0,
      stdout: `The shared chat ${share_id} is disabled.\n`,
      stderr: "",
    });
    expect(await codeOfReading()).toBe(2);
    expect((await person.call(forkShare, { share_id })).envelope.data?.biz_code).toBe(2);
    expect((await operate("share", "disable", share_id)).stdout).toMatch(/ is disabled already\.\n$/u);
    const link = `${app.address}/share/${share_id}?from=elsewhere`;
    expect((await operate("share", "enable", link)).stdout).toBe(
      `The shared chat ${share_id} can be read again.\n`,
    );
    expect(await codeOfReading()).toBe(0);
    await person.ok(deleteShare, { share_id });
    for (const [of, why] of [
      [share_id, `The shared chat ${share_id} has ended.\n`],
      ["nonsense", "There is no shared chat nonsense.\n"],
    ] as const)
      expect(await operate("share", "disable", of)).toEqual({ status: 1, stdout: "", stderr: why });
  }, 60_000);

  it("indexes anew what an older version has indexed while people write and delete, and says how much that was", async () => {
    const person = await app.signedIn();
    const userId = person.user?.id ?? "";
    const said = Array.from({ length: 60 }, (_, n) => ({
      text: `It is an **Öff**nungszeit ${n}`,
      at: n + 1,
    }));
    const id = await storeHistory(app.db, userId, said);
    await indexWaiting(app.db, systemClock);
    const answers = said.map((_, n) => n + 1).filter((n) => n % 2 === 0);
    for (const messageId of answers) {
      const text = { userId, sessionId: id, messageId, at: messageId };
      await app.db.transaction((trx) => indexMessage(app.db, trx, text, ["off", "nungszeit"]));
    }
    const hits = async () => (await person.ok(searchSessions, { q: "öffnungszeit", count: 50 })).hits;
    expect(await hits()).toEqual([]);
    let isOver = false;
    const reindexing = operate("search", "reindex").finally(() => (isOver = true));
    for (let n = 0; !isOver; n += 1) {
      const chat = (await person.ok(createSession, {})).id;
      const stream = await person.stream(completion, { chat_session_id: chat, prompt: "Meanwhile" });
      await stream.ended;
      if (n % 2 === 1) await person.ok(deleteSession, { chat_session_id: chat });
    }
    expect(await reindexing).toEqual({
      status: 0,
      stderr: "",
      stdout: expect.stringMatching(/^\d+ texts of \d+ chats looked through, 30 of them indexed anew\.\n$/u),
    });
    const found = (await hits()).map(({ message_id: messageId }) => messageId ?? 0);
    expect(found.toSorted((a, b) => a - b)).toEqual(answers);
    const doubled = await app.db.kysely
      .selectFrom("history_docs")
      .select(["session_id", "message_id"])
      .groupBy(["session_id", "message_id"])
      .having(({ fn }) => fn.countAll(), ">", 1)
      .execute();
    expect(doubled).toEqual([]);
    expect((await operate("search", "reindex")).stdout).toMatch(/ 0 of them indexed anew\.\n$/u);
  }, 60_000);

  it("lists accounts with their status, and says whom it does not know", async () => {
    const person = app.client();
    const { id } = await person.signUp("listed@example.org");
    const { status, stdout } = await operate("users", "list");
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${id}  listed@example\\.org  \\S+Z  active$`, "mu"));
    expect(stdout).toMatch(/\n\d+ accounts\n$/u);
    for (const command of [["ban"], ["unban"], ["users", "show"]]) {
      expect(await operate(...command, "nobody@example.org")).toEqual({
        status: 1,
        stdout: "",
        stderr: "There is no account nobody@example.org.\n",
      });
    }
  }, 60_000);
});

describe("operator commands", () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), "plumb-operator-"));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const operate = (...words: string[]) =>
    operateOn({ settings: { DATA_DIR: dataDir }, cwd: dataDir }, ...words);

  it("makes the schema, finds nothing wrong, and then finds what was spoilt", async () => {
    expect(await operate("migrate")).toMatchObject({ status: 0 });
    expect(await operate("check")).toMatchObject({
      status: 0,
      stdout: "0 sessions and 0 replies checked, 0 violations\n",
    });
    expect(await operate("check-files")).toMatchObject({
      status: 0,
      stdout: "0 files and 0 objects checked, 0 violations\n",
    });
    mkdirSync(join(dataDir, "objects", "ab"), { recursive: true });
    writeFileSync(join(dataDir, "objects", "ab", "abcd.content"), "x");
    expect(await operate("check-files")).toMatchObject({
      status: 1,
      stdout: "abcd.content: bytes that belong to no file\n0 files and 1 objects checked, 1 violations\n",
    });
    const db = new DatabaseSync(join(dataDir, "plumb.db"));
    db.exec("insert into stream_log (reply, epoch, first_id, at, events) values (7, 1, 1, 1, '[]')");
    db.close();
    expect(await operate("check")).toMatchObject({
      status: 1,
      stdout: "I8  reply 7: it is gone and has a log\n0 sessions and 0 replies checked, 1 violations\n",
    });
  }, 60_000);

  it("finds no data where there is none, and makes none", async () => {
    const nowhere = join(dataDir, "nowhere");
    const { status, stderr } = await operateOn({ settings: { DATA_DIR: nowhere }, cwd: dataDir }, "check");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("is not there") });
    expect(existsSync(nowhere)).toBe(false);
  }, 60_000);

  it("says what there is when asked for nothing or something else", async () => {
    expect(await operate()).toMatchObject({ status: 2, stderr: expect.stringContaining("check") });
    for (const [wrong, why] of [
      [["destroy"], 'There is no command "destroy".'],
      [["ban"], '"ban" is no whole command, or has too many words.'],
      [["users", "list", "more"], '"users list more" is no whole command, or has too many words.'],
      [["banner", "set", "--now"], '"banner set --now" is no whole command, or has too many words.'],
    ] as const) {
      const { status, stdout, stderr } = await operate(...wrong);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(/^Usage:/u);
      expect(stderr.trimEnd().split("\n").at(-1)).toBe(why);
    }
  }, 60_000);

  it("helps whoever asks for it, and does nothing else", async () => {
    for (const asking of [["help"], ["backup", "--help"], ["banner", "set", "-h"]])
      expect(await operate(...asking)).toEqual({
        status: 0,
        stdout: expect.stringMatching(/^Usage:/u),
        stderr: "",
      });
    expect(existsSync(join(dataDir, "--help"))).toBe(false);
  }, 60_000);
});
