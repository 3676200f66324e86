// Every mounted route × who calls × whose object is named, with what must come out taken from the wire contract (§1.6, §1.8)
// and not from the routes. A route that is added is in here by itself; an object's field that nobody knows fails here.
import { createCharacter, deleteCharacter } from "@plumb/protocol/wire/agents";
import type { Call } from "@plumb/protocol/wire/call";
import { beginImport, lastImport } from "@plumb/protocol/wire/imports";
import { signIns } from "@plumb/protocol/wire/own-account";
import { createSession, deleteSession } from "@plumb/protocol/wire/sessions";
import { createShare, deleteShare } from "@plumb/protocol/wire/sharing";
import { completion } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { allCalls } from "./all-calls.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import { expectEnvelope, withoutTraceId } from "./expect-envelope.ts";
import type { TestClient } from "./test-client.ts";
import { engines } from "./test-databases.ts";

/** Fields that name somebody's object. */
const objectFields = [
  "chat_session_id",
  "chat_session_ids",
  "character_id",
  "share_id",
  "file_id",
  "file_ids",
  "import_id",
  "id",
] as const;
type ObjectField = (typeof objectFields)[number];

/** Names that only look like an object's: what they name is said elsewhere in the request, or in it alone. */
const noObjects = new Set(["POST /api/v0/chat_session/create character_id"]);
/** Deleting what is not there is no failure, and says nothing of whether it was. */
const publicByDesign = new Set(["/api/v0/share/content", "/api/v0/share/fork"]);

const streams = ["completion", "regenerate", "edit_message", "continue"].map(
  (name) => `/api/v0/chat/${name}`,
);
const files = ["/api/v0/file/upload_file"];
const imports = ["POST /api/v0/import"];
const shares = ["/api/v0/share/create", "/api/v0/share/fork"];
const roles = ["/api/v0/character/create", "/api/v0/character/update"];
const nameOf = ({ method, path }: Call) => `${method} ${path}`;
const isOneOf = (call: Call, list: readonly string[]) =>
  list.includes(call.path) || list.includes(nameOf(call));

/** §1.8: the calls of somebody who is muted. */
function whenMuted(call: Call): { code: number; bizCode?: number } | null {
  if (isOneOf(call, streams)) return { code: 0, bizCode: 5 };
  if (isOneOf(call, shares)) return { code: 0, bizCode: 4 };
  if (isOneOf(call, [...files, ...imports, ...roles])) return { code: 50006 };
  return null;
}

/** §1.8: the calls that ask for an account without a shadow: under review, without a phone, without a birthday. */
const isSpeaking = (call: Call) => isOneOf(call, [...streams, ...files, ...imports, ...shares]);

describe.each(engines)("the authorization matrix on %s", (engine) => {
  let app: TestApp;
  let bearer: Call[];
  let anna: TestClient;
  let bert: TestClient;
  const own = {} as Record<ObjectField, string>;
  const deleted = {} as Partial<Record<ObjectField, string>>;
  let phones = 13_900_000_000;

  beforeAll(async () => {
    app = await createTestApp({ engine, settings: { REQUIRE_MOBILE: "on", MIN_AGE: "13" } });
    bearer = allCalls(app.app.fastify).filter((call) => call.auth === "bearer");
    [anna, bert] = [await person(), await person()];
    own.chat_session_id = await talk();
    own.chat_session_ids = own.chat_session_id;
    own.character_id = await character();
    own.share_id = await share(own.chat_session_id);
    own.file_id = (await anna.uploaded("notes.txt", "xylophone")).id;
    own.file_ids = own.file_id;
    own.import_id = (await sendFile(anna, beginImport as unknown as Call)).id ?? "";
    await vi.waitFor(async () => {
      const status = (await anna.ok(lastImport, {}))?.status;
      if (status !== "FINISHED") throw new Error(`the import is ${status}`);
    }, 20_000);
    own.id = (await anna.ok(signIns, {})).sign_ins[0]?.id ?? "";
    deleted.chat_session_id = await talk();
    deleted.character_id = await character();
    deleted.share_id = await share(own.chat_session_id);
    await anna.ok(deleteSession, { chat_session_id: deleted.chat_session_id });
    await anna.ok(deleteCharacter, { character_id: deleted.character_id });
    await anna.ok(deleteShare, { share_id: deleted.share_id });
    if (Object.values(own).includes("")) throw new Error("an object was not made");
  });
  afterAll(() => app.close());

  /** Whoever may do everything: of age, with a phone. */
  async function person(): Promise<TestClient> {
    const one = app.client();
    const { id } = await one.signUp();
    const users = app.db.kysely.updateTable("users").where("id", "=", id);
    await users.set({ mobile: String((phones += 1)), birth_year: 1990, birth_month: 5 }).execute();
    return one;
  }
  async function talk(): Promise<string> {
    const { id } = await anna.ok(createSession, {});
    const stream = await anna.stream(completion, { chat_session_id: id, prompt: "The word is xylophone" });
    await stream.ended;
    return id;
  }
  const character = async () =>
    (await anna.ok(createCharacter, { name: "Anna's", instructions: "Say xylophone." })).id;
  const share = async (session: string) =>
    (await anna.ok(createShare, { chat_session_id: session, message_ids: [1, 2] })).share_id;

  async function sendFile(by: TestClient, call: Call): Promise<{ id?: string }> {
    return ((await ask(by, call)).envelope.data?.biz_data ?? {}) as { id?: string };
  }

  /** Everything that some call asks for; keys that a call does not know are ignored. */
  const usual = {
    message_id: 2,
    child_message_id: 2,
    prompt: "Which word?",
    title: "Taken over",
    pinned: true,
    client_stream_ids: ["20260101-nobodysstream00"],
    feedback_type: "GOOD",
    message_ids: [1, 2],
    target_path: completion.path,
    name: "Named",
    instructions: "Say nothing.",
    q: "xylophone",
    year: 1990,
    month: 5,
    area_code: "+86",
    mobile_number: "13800000000",
    sms_verification_code: "000000",
  };

  /** One request as a client sends it: with its proof, and with a file where the call takes one. */
  async function ask(by: TestClient, call: Call, input: Record<string, unknown> = {}) {
    const proof = by.token === null ? {} : await by.proofFor(call).catch(() => ({}));
    const takesFile = isOneOf(call, [...files, ...imports]);
    const form = new FormData();
    form.append("file", new Blob([JSON.stringify([{ title: "x", mapping: {} }])]), "conversations.json");
    const { method, path } = call;
    const query = new URLSearchParams(
      Object.entries(input).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const response = await (method === "GET"
      ? by.request(`${path}?${query.toString()}`)
      : by.request(path, {
          method,
          headers: proof,
          body: takesFile ? form : JSON.stringify(input),
        }));
    const text = await response.text();
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true)
      throw new Error(`${path} began a reply`);
    const header = (name: string) => response.headers.get(name);
    return { text, envelope: expectEnvelope({ text, status: response.status, header }) };
  }

  const fieldsOf = (call: Call): ObjectField[] => {
    const { shape = {} } = call.request as unknown as { shape?: Record<string, unknown> };
    return objectFields.filter((field) => field in shape && !noObjects.has(`${nameOf(call)} ${field}`));
  };
  const naming = (field: ObjectField, id: string) => ({
    ...usual,
    [field]: field === "chat_session_ids" ? [id] : id,
  });

  /** Names nothing that is there. */
  const absent = () => ({
    ...usual,
    ...Object.fromEntries(objectFields.map((field) => [field, crypto.randomUUID()])),
  });

  const everything = async (of: TestClient) => {
    const tables = ["sessions", "messages", "characters", "shares", "files", "imports"] as const;
    const rows = await Promise.all(
      tables.map((table) =>
        app.db.kysely
          .selectFrom(table)
          .selectAll()
          .where("user_id", "=", of.user?.id ?? "")
          .execute(),
      ),
    );
    const tokens = await app.db.kysely
      .selectFrom("login_tokens")
      .select("sign_in_id")
      .where("user_id", "=", of.user?.id ?? "")
      .execute();
    return JSON.stringify([...rows, tokens].map((table) => table.map((row) => JSON.stringify(row)).sort()));
  };

  it("knows whose object every field that looks like one names", () => {
    const named = allCalls(app.app.fastify).flatMap((call) => {
      const { shape = {} } = call.request as unknown as { shape?: Record<string, unknown> };
      return Object.keys(shape).filter((key) => /(?:^|_)ids?$/u.test(key));
    });
    const others = [
      "device_id",
      "message_id",
      "message_ids",
      "parent_message_id",
      "child_message_id",
      "known_last_message_id",
      "before_seq_id",
      "client_stream_id",
      "client_stream_ids",
      "client_fork_id",
      "ref_file_ids",
      "captcha_id",
      "did",
    ];
    expect([...new Set(named)].filter((key) => !others.includes(key)).sort()).toEqual(
      [...objectFields].sort(),
    );
  });

  it("nobody without an account reaches a call that asks for one, with a guest's proof or without [ERR-006]", async () => {
    const guest = app.client();
    for (const call of bearer) {
      const { envelope } = await ask(guest, call, naming("chat_session_id", own.chat_session_id));
      expect(envelope.code, nameOf(call)).toBe(40002);
    }
  });

  it("another's object is answered as one that is absent or deleted, byte for byte, and is left as it is", async () => {
    const before = await everything(anna);
    const nobodys = (id: string) =>
      id
        .replaceAll(/[0-9a-f]/gu, (digit) => (digit === "0" ? "1" : digit === "a" ? "b" : digit))
        .replace(/.$/u, "7");
    let asked = 0;
    for (const call of bearer) {
      for (const field of fieldsOf(call)) {
        if (publicByDesign.has(call.path)) continue;
        const ids = [own[field], deleted[field] ?? own[field], nobodys(own[field])];
        const answers = [];
        for (const id of ids) answers.push(await ask(bert, call, naming(field, id)));
        const [others, gone, none] = answers.map(({ text, envelope }) =>
          withoutTraceId(text)
            .replaceAll(/"seq_id":\d+/gu, "")
            .concat(String(envelope.code)),
        );
        expect([others, gone], `${nameOf(call)} ${field}`).toEqual([none, none]);
        for (const { text } of answers) {
          expect(text, nameOf(call)).not.toContain("xylophone");
          for (const id of Object.values(own)) expect(text, nameOf(call)).not.toContain(id);
        }
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(20);
    expect(await everything(anna)).toBe(before);
  });

  it("the owner reaches what the other does not", async () => {
    const harmless = bearer.filter(
      (call) => !/delete|end_sign_in|cancel|update|pinned|create$/u.test(call.path),
    );
    for (const call of harmless) {
      for (const field of fieldsOf(call)) {
        if (publicByDesign.has(call.path) || streams.includes(call.path)) continue;
        const [mine, theirs] = [anna, bert].map((by) => ask(by, call, naming(field, own[field])));
        const answers = await Promise.all([mine, theirs]);
        const [one, other] = answers.map((answer) => withoutTraceId(answer?.text ?? ""));
        expect(one, `${nameOf(call)} ${field}`).not.toBe(other);
      }
    }
  });

  const shadows: [who: string, change: object, code: number][] = [
    ["without a phone", { mobile: null }, 40013],
    ["under review", { under_review: 1 }, 40014],
    ["of unknown age", { birth_year: null }, 40015],
  ];

  /** Waits until what is remembered of the account is what it is now: at most a second. */
  const settled = async (by: TestClient, fits: (code: number, bizCode: number | undefined) => boolean) => {
    const call = bearer.find(({ path }) => path === "/api/v0/chat/regenerate") as Call;
    await expect
      .poll(async () => {
        const { envelope } = await ask(by, call, absent());
        return fits(envelope.code, envelope.data?.biz_code);
      })
      .toBe(true);
  };
  const change = async (by: TestClient, values: object) =>
    app.db.kysely
      .updateTable("users")
      .set(values)
      .where("id", "=", by.user?.id ?? "")
      .execute();
  /** Those that end the stay, or change what is asked for. */
  const isLast = ({ path }: Call) => /logout|unregister|set_birthday|bind_mobile/u.test(path);

  it.each(shadows)(
    "somebody %s reads and does not speak [ACCT-050] [ERR-010]",
    async (_who, values, code) => {
      const one = await person();
      await change(one, values);
      await settled(one, (global) => global === code);
      for (const call of bearer.filter((each) => !isLast(each))) {
        const { envelope } = await ask(one, call, absent());
        if (isSpeaking(call)) expect(envelope.code, nameOf(call)).toBe(code);
        else expect([40013, 40014, 40015], nameOf(call)).not.toContain(envelope.code);
      }
    },
  );

  it("somebody muted reads, and is told until when where they would speak [ACCT-050] [ACCT-055]", async () => {
    const one = await person();
    await change(one, { muted_until: Date.now() + 3_600_000 });
    await settled(one, (_global, bizCode) => bizCode === 5);
    for (const call of bearer.filter((each) => !isLast(each))) {
      const { envelope } = await ask(one, call, absent());
      const expected = whenMuted(call);
      const said = [envelope.code, envelope.data?.biz_code];
      if (expected === null) {
        expect(envelope.code, nameOf(call)).not.toBe(50006);
        expect(envelope.data?.biz_msg ?? "", nameOf(call)).not.toBe("USER_IS_MUTED");
      } else expect(said, nameOf(call)).toEqual([expected.code, expected.bizCode ?? expected.code]);
    }
  });

  it("somebody banned reaches nothing [ACCT-051] [ACCT-040]", async () => {
    for (const call of bearer) {
      const one = await person();
      await change(one, { banned_at: 1 });
      const { envelope } = await ask(one, call, naming("chat_session_id", own.chat_session_id));
      if (call.path === "/api/v0/users/unregister") expect(envelope.data?.biz_code).toBe(3);
      else expect(envelope.code, nameOf(call)).toBe(40012);
    }
  }, 60_000);
});
