// Who may reach what: every mounted call × callers × whose object it names. A call
// that is added is in here by itself, and fails here until it is listed as one that asks for an account or not.
import { createCharacter } from "@plumb/protocol/wire/agents";
import type { Call } from "@plumb/protocol/wire/call";
import { unregister } from "@plumb/protocol/wire/own-account";
import { createSession, deleteSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, regenerate } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCalls } from "./all-calls.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import { expectDesigned, expectEnvelope, withoutTraceId } from "./expect-envelope.ts";
import type { TestClient } from "./test-client.ts";
import { engines } from "./test-databases.ts";

/** Calls that name an object by an id: all others are about the caller alone. */
const sessionCalls = [
  "/api/v0/chat/completion",
  "/api/v0/chat/regenerate",
  "/api/v0/chat/edit_message",
  "/api/v0/chat/continue",
  "/api/v0/chat/resume_stream",
  "/api/v0/chat/stop_stream",
  "/api/v0/chat/get_client_streams",
  "/api/v0/chat/history_messages",
  "/api/v0/chat/message_feedback",
  "/api/v0/chat_session/update_title",
  "/api/v0/chat_session/update_pinned",
  "/api/v0/chat_session/delete",
  "/api/v0/share/create",
];
const characterCalls = ["/api/v0/character/update", "/api/v0/character/delete"];
/** Calls about shares: they have a suite of their own (sharing/share-routes.test.ts). */
const shareCalls = ["/api/v0/share/delete", "/api/v0/share/fork", "/api/v0/share/list"];
const speaking = sessionCalls.slice(0, 4);
/** Calls about files: they have a suite of their own (files/file-routes.test.ts). */
const fileCalls = ["/api/v0/file/upload_file", "/api/v0/file/fetch_files", "/api/v0/file/preview"];
/** An export is the caller's alone; its link has a suite of its own (exports/export-routes.test.ts). */
const exportCalls = ["/api/v0/export_all", "/api/v0/download_export_history"];
/** An import is the caller's alone; which one is cancelled has a suite of its own (imports/import-routes.test.ts). */
const importCalls = ["/api/v0/import", "/api/v0/import/cancel"];
const ownCalls = [
  "/api/v0/users/current",
  "/api/v0/users/logout",
  "/api/v0/users/logout_all_sessions",
  "/api/v0/users/feature_quota",
  "/api/v0/users/settings",
  "/api/v0/users/update_settings",
  "/api/v0/users/set_birthday",
  "/api/v0/users/sign_ins",
  "/api/v0/users/end_sign_in",
  "/api/v0/users/unregister",
  "/api/v0/users/bind_mobile",
  "/api/v0/users/security",
  "/api/v0/users/confirm_identity",
  "/api/v0/users/confirm_code",
  "/api/v0/users/unbind",
  "/api/v0/chat/create_pow_challenge",
  "/api/v0/chat_session/create",
  "/api/v0/chat_session/fetch_page",
  "/api/v0/chat_session/search",
  "/api/v0/chat_session/delete_all",
  "/api/v0/character/create",
  "/api/v0/character/list",
  ...exportCalls,
  ...importCalls,
];
const NO_CHARACTER =
  '{"code":0,"msg":"","data":{"biz_code":1,"biz_msg":"CHARACTER_NOT_FOUND","biz_data":null,"code":1},"context":{"logId":""}}';
const ILLEGAL =
  '{"code":0,"msg":"","data":{"biz_code":1,"biz_msg":"ILLEGAL_CHAT_SESSION_ID","biz_data":null,"code":1},"context":{"logId":""}}';

/** The id of an object, and all that only looks like it or like no id at all. */
const likeOf = (id: string): string[] => [
  id,
  crypto.randomUUID(),
  id.toUpperCase(),
  id.slice(0, -1),
  `${id}0`,
  `${id} `,
  ` ${id}`,
  `${id}\0`,
  `\0${id}`,
  `channel:${id}`,
  `{${id}}`,
  id.replaceAll("-", ""),
  `${id}' OR '1'='1`,
  "%",
  "_".repeat(36),
  "",
  "__proto__",
  "constructor",
  "../" + id,
  "9".repeat(400),
  "\ud800",
  "💣".repeat(50),
];

describe.each(engines)("authorization on %s", (engine) => {
  let app: TestApp;
  let calls: Call[];
  let anna: TestClient;
  let bert: TestClient;
  /** A finished exchange of Anna's, with a client_stream_id; one that she deleted; one of Bert's. */
  let annas: string;
  let deleted: string;
  let berts: string;
  const streamId = "20260101-annasownstream0";

  beforeAll(async () => {
    app = await createTestApp({ engine, settings: { REQUIRE_MOBILE: "on", MIN_AGE: "13" } });
    calls = allCalls(app.app.fastify);
    [anna, bert] = [await signedIn(), await signedIn()];
    annas = await talk(anna, { client_stream_id: streamId });
    deleted = await talk(anna);
    await anna.ok(deleteSession, { chat_session_id: deleted });
    berts = await talk(bert);
  });
  afterAll(() => app.close());

  let numbers = 13_800_000_000;
  /** Whoever may do everything: of age, with a phone. */
  async function signedIn(): Promise<TestClient> {
    const person = app.client();
    const { id } = await person.signUp();
    const users = app.db.kysely.updateTable("users").where("id", "=", id);
    await users.set({ mobile: String((numbers += 1)), birth_year: 1990, birth_month: 5 }).execute();
    return person;
  }

  async function talk(person: TestClient, extra: object = {}): Promise<string> {
    const { id } = await person.ok(createSession, {});
    const input = { chat_session_id: id, prompt: "The secret word is xylophone", ...extra };
    await (
      await person.stream(completion, input)
    ).ended;
    return id;
  }

  /** One body that has what every call of an object asks for. Keys a call does not know are ignored. */
  const naming = (session: string, message: number | string = 2) => ({
    chat_session_id: session,
    message_id: message,
    child_message_id: message,
    parent_message_id: message,
    prompt: "Which word is secret?",
    title: "Taken over",
    pinned: true,
    client_stream_ids: [streamId],
    feedback_type: "GOOD",
    message_ids: [1, 2],
    target_path: completion.path,
  });

  async function send(
    person: TestClient,
    call: Call,
    input: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<{ text: string; status: number; header: (name: string) => string | null }> {
    // A caller without an account that may speak gets no proof: it is refused before that.
    const proof =
      person.token === null || call.proof === "guest" ? {} : await person.proofFor(call).catch(() => ({}));
    const query = new URLSearchParams(
      Object.entries(input)
        .filter(([, value]) => typeof value !== "object")
        .map(([key, value]): [string, string] => [key, String(value)]),
    );
    const response =
      call.method === "GET"
        ? await person.request(`${call.path}?${query.toString()}`, { headers })
        : await person.request(call.path, {
            method: "POST",
            headers: { ...proof, ...headers },
            body: JSON.stringify(input),
          });
    const text = await response.text();
    return { text, status: response.status, header: (name) => response.headers.get(name) };
  }

  const rowsOf = async (user: TestClient) => {
    const rows = await Promise.all(
      (["sessions", "messages", "replies", "characters", "shares"] as const).map((table) =>
        app.db.kysely
          .selectFrom(table)
          .selectAll()
          .where("user_id", "=", user.user?.id ?? "")
          .execute(),
      ),
    );
    return JSON.stringify(rows.map((table) => table.map((row) => JSON.stringify(row)).sort()));
  };

  it("knows every call that asks for an account", () => {
    const bearer = calls.filter((call) => call.auth === "bearer").map((call) => call.path);
    expect([...new Set(bearer)].sort()).toEqual(
      [...sessionCalls, ...characterCalls, ...shareCalls, ...fileCalls, ...ownCalls].sort(),
    );
  });

  it("refuses every caller without an account: no token, and everything that only looks like one [ERR-006] [ERR-007]", async () => {
    const nobody = app.client();
    const token = anna.token ?? "";
    const carriers: [Record<string, string>, number][] = [
      [{}, 40002],
      [{ cookie: `token=${token}; authorization=Bearer ${token}` }, 40002],
      [
        {
          "x-api-key": token,
          "x-authorization": `Bearer ${token}`,
          "proxy-authorization": `Bearer ${token}`,
        },
        40002,
      ],
      [{ authorization: token }, 40002],
      [{ authorization: `Basic ${btoa(`${token}:`)}` }, 40002],
      [{ authorization: "Bearer " }, 40002],
      [{ authorization: `Bearer ${token} ${token}` }, 40002],
      [{ authorization: `Bearer ${token}x` }, 40003],
      [{ authorization: `Bearer ${token.slice(0, -1)}` }, 40003],
      [{ authorization: `Bearer ${token.toUpperCase()}` }, 40003],
      [{ authorization: `Bearer ${"A".repeat(64)}` }, 40003],
      [{ authorization: "Bearer __proto__" }, 40003],
    ];
    const before = await rowsOf(anna);
    for (const call of calls.filter((one) => one.auth === "bearer")) {
      for (const [headers, code] of carriers) {
        const answer = await send(nobody, call, { ...naming(annas), token, access_token: token }, headers);
        expect(expectEnvelope(answer).code, `${call.path} ${JSON.stringify(headers)}`).toBe(code);
      }
    }
    expect(await rowsOf(anna)).toBe(before);
    for (const scheme of ["bearer", "BEARER", "BeArEr  "]) {
      const answer = await send(nobody, historyMessages as unknown as Call, naming(annas), {
        authorization: `${scheme} ${token}`,
      });
      expect(expectEnvelope(answer).data?.biz_code, scheme).toBe(0);
    }
  });

  it("answers for another user's object as for one that does not exist, byte for byte, and changes neither", async () => {
    const before = await rowsOf(anna);
    for (const call of calls.filter((one) => sessionCalls.includes(one.path))) {
      for (const session of [deleted, ...likeOf(annas)]) {
        for (const message of [1, 2]) {
          const answer = await send(bert, call, naming(session, message));
          expect(withoutTraceId(answer.text), `${call.path} ${JSON.stringify(session)}`).toBe(ILLEGAL);
          expectEnvelope(answer);
        }
      }
    }
    expect(await rowsOf(anna)).toBe(before);
  });

  it("answers for another user's persona as for one that does not exist, byte for byte, and changes neither", async () => {
    const persona = await anna.ok(createCharacter, { name: "Anna's", instructions: "Say xylophone." });
    const before = await rowsOf(anna);
    for (const call of calls.filter((one) => characterCalls.includes(one.path))) {
      for (const id of likeOf(persona.id)) {
        const answer = await send(bert, call, { character_id: id, name: "Bert's" });
        expect(withoutTraceId(answer.text), `${call.path} ${JSON.stringify(id)}`).toBe(NO_CHARACTER);
      }
    }
    for (const call of calls.filter((one) => one.method === "GET" && one.auth === "bearer")) {
      expect((await send(bert, call, {})).text, call.path).not.toContain("xylophone");
    }
    expect(await rowsOf(anna)).toBe(before);
  });

  it("tells only the owner that a session was deleted", async () => {
    for (const call of calls.filter((one) => sessionCalls.includes(one.path))) {
      const own = await send(anna, call, naming(deleted));
      expect(expectEnvelope(own).data, call.path).toMatchObject({
        biz_code: 1,
        biz_msg: "CHAT_SESSION_DELETED",
      });
      const foreign = await send(bert, call, naming(deleted));
      expect(withoutTraceId(foreign.text), call.path).toBe(ILLEGAL);
    }
  });

  it("binds a message to its session: an id of another session is unknown in this one", async () => {
    const before = await rowsOf(bert);
    // Anna's session gets more messages than Bert's; the ids that only hers has are nothing in his.
    await (
      await anna.stream(completion, { chat_session_id: annas, parent_message_id: 2, prompt: "More" })
    ).ended;
    for (const message of [3, 4, 0, -1, "4", Number.MAX_SAFE_INTEGER, String(Number.MAX_SAFE_INTEGER)]) {
      for (const call of calls.filter((one) => speaking.includes(one.path))) {
        const { data } = expectEnvelope(await send(bert, call, naming(berts, message)));
        expect(data, `${call.path} ${message}`).toMatchObject({ biz_code: 26, biz_data: null });
      }
      const resume = calls.find((call) => call.path === "/api/v0/chat/resume_stream");
      const { data } = expectEnvelope(await send(bert, resume as Call, naming(berts, message)));
      expect(data).toMatchObject({ biz_code: 7, biz_data: null });
    }
    const lookup = calls.find((call) => call.path === "/api/v0/chat/get_client_streams") as Call;
    const found = expectEnvelope(await send(bert, lookup, naming(berts)));
    expect(found.data?.biz_data).toEqual({ client_streams: [] });
    expect(await rowsOf(bert)).toBe(before);
    // A stream id of another's is not known: the send is a first one, of the sender's own.
    const own = await bert.ok(createSession, {});
    const stream = await bert.stream(completion, {
      chat_session_id: own.id,
      prompt: "The secret word is xylophone",
      client_stream_id: streamId,
    });
    await stream.ended;
    expect(stream.text()).not.toContain(annas);
    const { chat_messages } = await bert.ok(historyMessages, { chat_session_id: own.id });
    expect(chat_messages).toHaveLength(2);
  });

  it("takes nothing about the caller from the body [ERR-001]", async () => {
    const before = await rowsOf(anna);
    const claims = {
      user_id: anna.user?.id,
      userId: anna.user?.id,
      user: { id: anna.user?.id },
      owner: anna.user?.id,
      role: "admin",
      is_admin: true,
    };
    const made = expectEnvelope(
      await send(bert, createSession as unknown as Call, {
        ...claims,
        id: annas,
        seq_id: 1,
        title: "x",
        version: 9,
      }),
    );
    expect(made.data?.biz_data).toMatchObject({ title: null, version: 0 });
    expect(made.data?.biz_data).not.toMatchObject({ id: annas });
    for (const call of calls.filter((one) => sessionCalls.includes(one.path))) {
      const answer = await send(bert, call, { ...naming(annas), ...claims });
      expect(withoutTraceId(answer.text), call.path).toBe(ILLEGAL);
    }
    for (const call of calls.filter((one) => one.method === "GET" && one.auth === "bearer")) {
      const answer = await send(bert, call, { ...claims, chat_session_id: berts });
      expect(answer.text, call.path).not.toContain(anna.user?.id ?? "-");
      expect(answer.text, call.path).not.toContain(annas);
    }
    expect(await rowsOf(anna)).toBe(before);
  });

  it("lets an account do what its status allows, and a banned one nothing [ACCT-040] [ACCT-050] [ACCT-055] [ERR-009] [ERR-010] [ERR-012]", async () => {
    const statuses: [change: object, code: number, bizCode: number | null][] = [
      [{ banned_at: 1 }, 40012, null],
      [{ under_review: 1 }, 40014, null],
      [{ birth_year: null }, 40015, null],
      [{ mobile: null }, 40013, null],
      [{ muted_until: Date.now() + 3_600_000 }, 0, 5],
      [{ muted_until: Date.now() - 1000 }, 0, null],
    ];
    const regenerateCall = calls.find((one) => one.path === regenerate.path) as Call;
    for (const [change, code, bizCode] of statuses) {
      const person = await signedIn();
      const session = await talk(person);
      const before = await rowsOf(person);
      await app.db.kysely
        .updateTable("users")
        .set(change)
        .where("id", "=", person.user?.id ?? "")
        .execute();
      // What is remembered of an account is at most a second old. A message that is not there begins nothing until then.
      await expect
        .poll(async () => {
          const answer = expectEnvelope(await send(person, regenerateCall, naming(session, 9)));
          return answer.code === 0 ? answer.data?.biz_code : answer.code;
        })
        .toBe(code === 0 ? (bizCode ?? 26) : code);
      for (const call of calls.filter((one) => sessionCalls.includes(one.path))) {
        // Nothing that would change the conversation: those that may be made are checked to reach it.
        if (/^\/api\/v0\/(chat_session|share)\//u.test(call.path)) continue;
        const answer = await send(person, call, naming(session, 9));
        const { code: global, data } = expectEnvelope(answer);
        const told = `${call.path} ${JSON.stringify(change)}`;
        if ("banned_at" in change) expect([40012, 40003], told).toContain(global);
        else if (speaking.includes(call.path)) {
          expect(global, told).toBe(code);
          if (code === 0) expect(data?.biz_code, told).toBe(bizCode ?? 26);
        } else expect(global, told).toBe(0);
      }
      if ("banned_at" in change) {
        for (const call of calls.filter((one) => ownCalls.includes(one.path))) {
          const { code: global, data } = expectEnvelope(await send(person, call, naming(session)));
          if (call.path === unregister.path && global === 0) expect(data?.biz_code).toBe(3);
          else expect(global, call.path).not.toBe(0);
        }
        const tokens = app.db.kysely.selectFrom("login_tokens").where("user_id", "=", person.user?.id ?? "");
        expect(await tokens.selectAll().execute()).toEqual([]);
      }
      expect(await rowsOf(person)).toBe(before);
    }
  });

  it("ends a token everywhere when its owner signs out, and only that one", async () => {
    const person = await signedIn();
    const session = await talk(person);
    const other = app.client();
    const email = `signs-out-${engine}@example.org`;
    const user = await other.signUp(email);
    expect(user.id).not.toBe(person.user?.id);
    const logout = calls.find((call) => call.path === "/api/v0/users/logout") as Call;
    expectEnvelope(await send(person, logout, {}));
    for (const call of calls.filter((one) => one.auth === "bearer")) {
      expect(expectEnvelope(await send(person, call, naming(session))).code, call.path).toBe(40003);
    }
    const still = await send(other, calls.find((call) => call.path === "/api/v0/users/current") as Call, {});
    expect(expectEnvelope(still).code).toBe(0);
  });

  it("answers calls without an account alike, whoever sends them", async () => {
    const open = calls.filter((call) => call.auth !== "bearer");
    expect(open.length).toBeGreaterThan(5);
    for (const call of open) {
      for (const person of [app.client(), bert]) {
        const answer = await send(person, call, naming(annas));
        expect(answer.status, call.path).toBeLessThan(500);
        expect(answer.text).not.toContain("xylophone");
        if (answer.status !== 304) expectDesigned(call, answer);
      }
    }
  });
});
