// Malformed, oversized and foreign input to every mounted call: a clear "no" in a whole envelope, never a fault.
import { connect } from "node:net";
import type { Call } from "@plumb/protocol/wire/call";
import { login } from "@plumb/protocol/wire/sign-in";
import { register } from "@plumb/protocol/wire/sign-up";
import { createEmailVerificationCode } from "@plumb/protocol/wire/verification-codes";
import { uploadFile } from "@plumb/protocol/wire/files";
import { beginImport } from "@plumb/protocol/wire/imports";
import { createPowChallenge } from "@plumb/protocol/wire/guard";
import { RequestHeader } from "@plumb/protocol/wire/headers";
import { createSession, updateSessionTitle } from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allCalls } from "./all-calls.ts";
import { everyCall } from "./conformance/request-fields.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import { endsSignIn } from "./ends-sign-in.ts";
import { expectDesigned, expectEnvelope } from "./expect-envelope.ts";
import type { TestClient } from "./test-client.ts";
import { engines } from "./test-databases.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
/** Calls with a prompt take more. */
const prompting = ["/api/v0/chat/completion", "/api/v0/chat/edit_message"];
const span = "/api/v0/client/span";
/** Calls whose schema has a required field: an empty body is refused. */
const needy = everyCall
  .filter(({ fields }) => Object.values(fields).some((rule) => rule.required ?? rule.nullable))
  .map(({ path }) => path);

describe.each(engines)("bad input on %s", (engine) => {
  let app: TestApp;
  let posts: Call[];
  /** All but those whose body is a file. */
  const jsonPosts = () => posts.filter(({ path }) => path !== uploadFile.path && path !== beginImport.path);
  let gets: Call[];
  let person: TestClient;
  let session: string;

  beforeAll(async () => {
    app = await createTestApp({ engine });
    posts = allCalls(app.app.fastify).filter((call) => call.method === "POST");
    gets = allCalls(app.app.fastify).filter((call) => call.method === "GET");
    person = await app.signedIn();
    session = (await person.ok(createSession, {})).id;
    await (
      await person.stream(completion, { chat_session_id: session, prompt: "Hello" })
    ).ended;
  });
  afterAll(() => app.close());

  /** Sends the bytes as they are. `null` = no body at all. */
  async function send(
    call: Pick<Call, "method" | "path">,
    body: string | Uint8Array | null,
    { headers = {}, query = "" }: { headers?: Record<string, string>; query?: string } = {},
  ) {
    const answer = await app.app.fastify.inject({
      method: call.method,
      url: call.path + query,
      headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json", ...headers },
      ...(body === null ? {} : { payload: Buffer.from(body as string) }),
    });
    return {
      status: answer.statusCode,
      text: answer.body,
      header: (name: string) => {
        const value = answer.headers[name];
        return value === undefined ? null : String(value);
      },
    };
  }

  /** Refused as the contract says a schema error is: 422, or 2 in an executed stream call; with the field in detail. */
  function expectSchemaError(call: Call, answer: Awaited<ReturnType<typeof send>>): string[] {
    const envelope = expectEnvelope(answer);
    if (call.answers === "stream") {
      expect(envelope, call.path).toMatchObject({
        code: 0,
        data: { biz_code: 2, biz_msg: "INVALID_PARAMS", biz_data: null },
      });
    } else {
      expect(envelope, call.path).toMatchObject({ code: 42200, msg: "INVALID_PARAMS", data: null });
      expect(answer.status).toBe(422);
    }
    expect(envelope.detail?.length, answer.text).toBeGreaterThan(0);
    return (envelope.detail ?? []).map(({ loc }) => loc);
  }

  it("that is no JSON object is refused by every call", async () => {
    const bodies: (string | Uint8Array)[] = [
      "{",
      "nonsense",
      '{"a":1}}',
      "{'a':1}",
      '{"a":undefined}',
      '{"a":NaN}',
      '{"a":01}',
      '{"a":"\u0001"}',
      "\0",
      "chat_session_id=1&prompt=2",
      '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nx\r\n--x--',
      Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
      Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
      Uint8Array.of(0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d),
      Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0),
      "null",
      "true",
      "0",
      '"text"',
      "1e999",
    ];
    for (const call of jsonPosts()) {
      for (const body of bodies) expectSchemaError(call, await send(call, body));
      // An array is a report to client/span and nothing anywhere else.
      const list = await send(call, "[]");
      if (call.path === span) expect(expectEnvelope(list).code).toBe(0);
      else expectSchemaError(call, list);
    }
  });

  it("that is nothing at all counts as an empty object", async () => {
    for (const call of posts) {
      // It would end this client's own token.
      if (endsSignIn(call)) continue;
      for (const body of [null, "", " \n\t", "{}", "\ufeff{}"]) {
        const answer = await send(call, body);
        if (needy.includes(call.path) || call.path.endsWith("chat_session/delete")) {
          const locs = expectSchemaError(call, answer);
          expect(
            locs.every((loc) => loc.startsWith("body.")),
            answer.text,
          ).toBe(true);
        } else expect(expectEnvelope(answer).code, call.path).not.toBe(42200);
      }
    }
    session = (await person.ok(createSession, {})).id;
  });

  it("of the wrong type is refused field by field", async () => {
    const call = completion as unknown as Call;
    const good = { chat_session_id: session, prompt: "x" };
    const wrong: [field: string, value: unknown][] = [
      ["chat_session_id", 5],
      ["chat_session_id", { id: session }],
      ["chat_session_id", null],
      ["prompt", ["x"]],
      ["prompt", 1],
      ["prompt", null],
      ["parent_message_id", "two"],
      ["parent_message_id", 1.5],
      ["parent_message_id", "1.0"],
      ["parent_message_id", "0x10"],
      ["parent_message_id", ""],
      ["parent_message_id", 9_007_199_254_740_992],
      ["parent_message_id", "99999999999999999999"],
      ["parent_message_id", true],
      ["parent_message_id", { $gt: 0 }],
      ["thinking_enabled", 1],
      ["search_enabled", "false"],
      ["ref_file_ids", "file"],
      ["ref_file_ids", Array.from({ length: 51 }, () => "f")],
      ["ref_file_ids", { length: 1, 0: "f" }],
      ["client_stream_id", "x".repeat(65)],
      ["client_stream_id", 20260101],
      ["client_stream_id", "\ud800"],
    ];
    for (const [field, value] of wrong) {
      const answer = await send(call, JSON.stringify({ ...good, [field]: value }));
      expect(expectSchemaError(call, answer), answer.text).toContain(`body.${field}`);
    }
    const inner = await send(call, JSON.stringify({ ...good, ref_file_ids: ["a", 1] }));
    expect(expectSchemaError(call, inner)).toEqual(["body.ref_file_ids.1"]);
    const missing = expectEnvelope(await send(call, "{}"));
    expect(missing.detail).toEqual([
      { loc: "body.chat_session_id", msg: "required" },
      { loc: "body.prompt", msg: "required" },
    ]);
    const nested = await send(register as unknown as Call, JSON.stringify({ payload: {} }));
    expect(expectSchemaError(register as unknown as Call, nested)).toEqual([
      "body.payload.email",
      "body.payload.password",
    ]);
  });

  it("over the limit of the body is refused with 413, with a Content-Length or without", async () => {
    for (const call of jsonPosts()) {
      const limit = prompting.includes(call.path) ? MIB : 64 * KIB;
      const body = `{"a":"${"x".repeat(limit - 7)}"}`;
      expect(expectEnvelope(await send(call, body)).code, call.path).toBe(41300);
      if (endsSignIn(call)) continue;
      const fits = `{"a":"${"x".repeat(limit - 8)}"}`;
      expect(expectEnvelope(await send(call, fits)).code, call.path).not.toBe(41300);
    }
    session = (await person.ok(createSession, {})).id;
    const chunked = await fetch(app.address + updateSessionTitle.path, {
      method: "POST",
      headers: { authorization: `Bearer ${person.token}` },
      body: new ReadableStream({
        pull(stream) {
          stream.enqueue(new Uint8Array(MIB / 4).fill(0x20));
        },
      }),
      duplex: "half",
    } as RequestInit).catch((error: Error) => error);
    // The server may cut the endless body; an answer, if one came, names the reason.
    if (chunked instanceof Response) {
      expect(chunked.status).toBe(413);
      expect(((await chunked.json()) as { code: number }).code).toBe(41300);
    }
    const lied = await send(completion, "{}", { headers: { "content-length": String(2 ** 40) } }).catch(
      () => null,
    );
    if (lied !== null) expect(expectEnvelope(lied).code).toBe(41300);
  });

  it("nested without end, with duplicate and hostile keys, is read without harm", async () => {
    const depth = 100_000;
    for (const call of posts) {
      if (endsSignIn(call)) continue;
      const [open, close] =
        call.path === span
          ? ["[".repeat(30_000), "]".repeat(30_000)]
          : ["[".repeat(depth), "]".repeat(depth)];
      expectEnvelope(await send(call, `{"prompt":${open}${close}}`));
      expectEnvelope(await send(call, `{"a":`.repeat(5000) + "1" + "}".repeat(5000)));
      expectEnvelope(
        await send(
          call,
          `{"__proto__":{"chat_session_id":"${session}","polluted":true},"constructor":{"prototype":{"polluted":true}}}`,
        ),
      );
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    session = (await person.ok(createSession, {})).id;
    const rename = updateSessionTitle as unknown as Call;
    const last = await send(
      rename,
      `{"chat_session_id":"x","title":"A","title":"B","chat_session_id":"${session}"}`,
    );
    expect(expectEnvelope(last).data?.biz_data).toMatchObject({ title: "B" });
    const proto = await send(rename, `{"__proto__":{"chat_session_id":"${session}"},"title":"C"}`);
    expect(expectSchemaError(rename, proto)).toEqual(["body.chat_session_id"]);
    const many = await send(
      completion,
      JSON.stringify({ ref_file_ids: Array.from({ length: 50 }, () => 1) }),
    );
    expect(expectEnvelope(many).detail?.length).toBeLessThanOrEqual(20);
  });

  it("with any Content-Type is read as JSON; unknown encodings are no JSON", async () => {
    const rename = updateSessionTitle as unknown as Call;
    const body = JSON.stringify({ chat_session_id: session, title: "Typed" });
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "nonsense",
      ";;;=",
      'application/json; charset="utf-16"',
      "__proto__/x",
    ]) {
      const answer = await send(rename, body, { headers: { "content-type": type } });
      expect(expectEnvelope(answer).data?.biz_code, type).toBe(0);
    }
    const zipped = await send(rename, Uint8Array.of(0x1f, 0x8b, 8, 0), {
      headers: { "content-encoding": "gzip" },
    });
    expectSchemaError(rename, zipped);
  });

  it("in the query is refused like one in a body", async () => {
    const at = (path: string) => gets.find((call) => call.path === path) as Call;
    const page = at("/api/v0/chat_session/fetch_page");
    const history = at("/api/v0/chat/history_messages");
    for (const value of ["abc", "1.5", "1e3", "99999999999999999", "", "%00", "1%201", "NaN", "--1"]) {
      const answer = await send(page, null, { query: `?before_seq_id=${value}` });
      expect(expectSchemaError(page, answer), value).toEqual(["query.before_seq_id"]);
      const count = await send(page, null, { query: `?count=${value}` });
      expect(expectSchemaError(page, count), value).toEqual(["query.count"]);
    }
    expect(expectSchemaError(history, await send(history, null))).toEqual(["query.chat_session_id"]);
    const twice = await send(history, null, { query: `?chat_session_id=${session}&chat_session_id=x` });
    expect(expectEnvelope(twice).data?.biz_code).toBe(0);
    for (const query of [
      "?%",
      "?%zz",
      "?chat_session_id=%ff%fe",
      "?chat_session_id[]=x",
      "?chat_session_id[__proto__]=x",
      "?__proto__[x]=1&chat_session_id=a",
      "?&&&=&==",
      `?${"a=1&".repeat(5000)}`,
      `?chat_session_id=${"x".repeat(8000)}`,
    ]) {
      for (const call of gets) {
        const answer = await send(call, null, { query });
        expect(answer.status, `${call.path} ${query.slice(0, 40)}`).toBeLessThan(500);
        expectDesigned(call, answer);
      }
    }
  });

  it("with the greatest numbers is answered, with greater ones refused", async () => {
    const page = gets.find((call) => call.path === "/api/v0/chat_session/fetch_page") as Call;
    const greatest = Number.MAX_SAFE_INTEGER;
    for (const query of [
      `?before_seq_id=${greatest}`,
      `?before_seq_id=-${greatest}`,
      "?lte_cursor.updated_at=9007199254740",
      "?lte_cursor.updated_at=-9007199254740",
    ]) {
      expect(expectEnvelope(await send(page, null, { query })).code, query).toBe(0);
    }
    for (const [field, value] of [
      ["before_seq_id", greatest + 1],
      ["lte_cursor.updated_at", "9007199254741"],
      ["lte_cursor.updated_at", "9999999999999999"],
      ["lte_cursor.updated_at", "-9999999999999999"],
    ]) {
      const answer = await send(page, null, { query: `?${field}=${value}` });
      expect(expectSchemaError(page, answer), `${value}`).toEqual([`query.${field}`]);
    }
    for (const call of posts) {
      if (endsSignIn(call)) continue;
      for (const value of [greatest, -greatest, greatest + 1, 1e300]) {
        const body = {
          chat_session_id: session,
          prompt: "x",
          message_id: value,
          child_message_id: value,
          parent_message_id: value,
          known_last_message_id: value,
          feedback_type: "GOOD",
        };
        const answer = await send(call, JSON.stringify(body));
        expect(answer.status, `${call.path} ${value}`).toBeLessThan(500);
      }
    }
  });

  it("with texts that no database keeps finds nothing", async () => {
    for (const call of [...gets, ...posts]) {
      if (endsSignIn(call)) continue;
      for (const id of ["\0", `${session}\0`, "\ud800"]) {
        const answer =
          call.method === "GET"
            ? await send(call, null, { query: `?chat_session_id=${encodeURIComponent(id.toWellFormed())}` })
            : await send(
                call,
                JSON.stringify({
                  chat_session_id: id,
                  chat_session_ids: [id],
                  client_stream_id: "20260101-anystreamatall0",
                  message_id: 1,
                  child_message_id: 1,
                  title: "x",
                  prompt: "x",
                  email: id,
                  mobile: id,
                  password: id,
                  payload: { email: id, email_verification_code: id, password: id },
                }),
              );
        expect(answer.status, `${call.path} ${JSON.stringify(id)}`).toBeLessThan(500);
      }
    }
  });

  it("in headers is refused or ignored, and echoed nowhere", async () => {
    const marker = "<script>marker</script>";
    for (const call of [...gets, ...posts]) {
      if (endsSignIn(call)) continue;
      const answer = await send(call, call.method === "GET" ? null : "{}", {
        headers: {
          [RequestHeader.ClientLocale]: marker,
          [RequestHeader.AppVersion]: marker,
          [RequestHeader.ClientPlatform]: marker,
          [RequestHeader.ClientTimezoneOffset]: "NaN",
          [RequestHeader.LastEventId]: marker,
          "accept-language": marker,
          "x-forwarded-for": marker,
          "x-ds-trace-id": marker,
          "x-request-id": marker,
          referer: marker,
          "user-agent": marker,
          origin: "http://evil.example",
        },
      });
      expectDesigned(call, answer);
      expect(answer.text, call.path).not.toContain("marker");
      expect(answer.header("access-control-allow-origin"), call.path).toBeNull();
    }
    session = (await person.ok(createSession, {})).id;
    const rename = updateSessionTitle as unknown as Call;
    const body = JSON.stringify({ chat_session_id: session, title: "x" });
    const long = await send(rename, body, { headers: { [RequestHeader.DeviceId]: "d".repeat(501) } });
    expect(expectSchemaError(rename, long)).toEqual([`header.${RequestHeader.DeviceId}`]);
    const fits = await send(rename, body, { headers: { [RequestHeader.DeviceId]: "d".repeat(500) } });
    expect(expectEnvelope(fits).data?.biz_code).toBe(0);
  });

  it("in a proof is 40300 or 40301, and costs nothing but the proof", async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
    const proof = await person.proofFor(completion as unknown as Call);
    const good = JSON.parse(
      Buffer.from(proof[RequestHeader.PowResponse] ?? "", "base64").toString(),
    ) as Record<string, unknown>;
    const other = await app.signedIn();
    const others = (await other.proofFor(completion as unknown as Call))[RequestHeader.PowResponse] ?? "";
    const upload = (await person.ok(createPowChallenge, { target_path: "/api/v0/file/upload_file" }))
      .challenge;
    const headers: [value: string | null, code: number][] = [
      [null, 40300],
      ["", 40300],
      ["%%%", 40300],
      [encode([]), 40300],
      [encode(null), 40300],
      [encode({}), 40300],
      [encode({ ...good, answer: null }), 40300],
      [encode({ ...good, answer: 1.5 }), 40300],
      [encode({ ...good, answer: "1e3" }), 40300],
      [encode({ ...good, salt: undefined }), 40300],
      [encode({ ...good, salt: 5 }), 40300],
      ["A".repeat(5000), 40300],
      [encode({ ...good, answer: Number(good["answer"]) + 1 }), 40301],
      [encode({ ...good, answer: -1 }), 40301],
      [encode({ ...good, answer: Number.MAX_SAFE_INTEGER }), 40301],
      [encode({ ...good, salt: "" }), 40301],
      [encode({ ...good, salt: "ffffffffffffffffffff" }), 40301],
      [encode({ ...good, salt: "\0" }), 40301],
      [encode({ ...good, signature: "" }), 40301],
      [encode({ ...good, signature: "0".repeat(64) }), 40301],
      [encode({ ...good, signature: "\ud800\0" }), 40301],
      [encode({ ...good, challenge: "é".repeat(64) }), 40301],
      [encode({ ...good, algorithm: "none" }), 40301],
      [encode({ ...good, target_path: "/api/v0/file/upload_file" }), 40301],
      [encode({ ...good, target_path: "__proto__" }), 40301],
      [encode({ ...upload, answer: 0 }), 40301],
      [others, 40301],
    ];
    const body = JSON.stringify({ chat_session_id: session, prompt: "x" });
    const before = app.model.replies.length;
    for (const [value, code] of headers) {
      const answer = await send(completion, body, {
        headers: value === null ? {} : { [RequestHeader.PowResponse]: value },
      });
      expect(expectEnvelope(answer).code, String(value)).toBe(code);
    }
    expect(app.model.replies).toHaveLength(before);
    // The right one still serves, once.
    const right = encode(good);
    const first = await send(completion, body, { headers: { [RequestHeader.PowResponse]: right } });
    expect(first.header("content-type")).toMatch(/^text\/event-stream/);
    const again = await send(completion, body, { headers: { [RequestHeader.PowResponse]: right } });
    expect(expectEnvelope(again).code).toBe(40301);
  });

  it("at sign-up and sign-in gets the number of the call, whatever the texts hold", async () => {
    const texts = [
      "",
      "\0",
      "a\0@b.cd",
      "\ud800@x.yz",
      "@",
      `${"a".repeat(300)}@example.org`,
      "a@b@c.de",
      "__proto__",
      "💣@💣.com",
    ];
    const guest = async (call: Call, body: unknown) =>
      send(call, JSON.stringify(body), { headers: await app.client().proofFor(call) });
    for (const text of texts) {
      const code = await guest(createEmailVerificationCode as unknown as Call, { email: text });
      expect(expectEnvelope(code).data, JSON.stringify(text)).toMatchObject({ biz_code: 3 });
      const made = await guest(register as unknown as Call, {
        payload: { email: text, email_verification_code: "123456", password: "long enough" },
      });
      expect(expectEnvelope(made).data, JSON.stringify(text)).toMatchObject({ biz_code: 3 });
      for (const input of [
        { email: text, password: "x" },
        { email: "somebody@example.org", password: text },
        { mobile: text, area_code: text, password: text },
      ]) {
        const answer = expectEnvelope(await send(login as unknown as Call, JSON.stringify(input)));
        expect(answer.data, JSON.stringify(input)).toMatchObject({ biz_code: 2 });
      }
      // Wrong passwords are limited here too; more texts are tried than guesses are allowed.
      await app.db.kysely.deleteFrom("rate_counters").execute();
    }
    const long = await send(
      login as unknown as Call,
      JSON.stringify({ email: "a@b.cd", password: "p".repeat(60_000) }),
    );
    expect(expectEnvelope(long).data).toMatchObject({ biz_code: 2 });
    const endless = { email: "long".repeat(8000), mobile: "long".repeat(8000), password: "x" };
    const answer = expectEnvelope(await send(login as unknown as Call, JSON.stringify(endless)));
    expect(answer.data).toMatchObject({ biz_code: 2 });
    const device = await guest(register as unknown as Call, {
      payload: { email: "a@b.cd", email_verification_code: "123456", password: "long enough" },
      device_id: "a\0b",
    });
    expectSchemaError(register as unknown as Call, device);
  });

  it("in the path or method is 404 or 405 with the envelope", async () => {
    for (const path of [
      "/api",
      "/api/",
      "/api/v0",
      "/api/v0/nothing",
      "/api/v0/users/current/",
      "/api/v0/%00",
      "/api/v0/%",
      "/api//v0/users/current",
      "/api/v0/chat/../users/current",
      "/API/v0/users/current",
    ]) {
      const answer = await send({ method: "GET", path }, null);
      if (path.startsWith("/API")) continue;
      expect([40400, 40500, 0], `${path} ${answer.text.slice(0, 100)}`).toContain(
        expectEnvelope(answer).code,
      );
    }
    for (const call of [...gets, ...posts]) {
      const isDownload = ["/api/v0/export/file", "/api/v0/file/raw"].includes(call.path);
      const methods = [...gets, ...posts]
        .filter((one) => one.path === call.path)
        .flatMap((one): string[] => (isDownload ? [one.method, "HEAD"] : [one.method]));
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const) {
        if (methods.includes(method)) continue;
        const answer = await app.app.fastify.inject({ method, url: call.path });
        expect(answer.statusCode, `${method} ${call.path}`).toBe(405);
        expect(answer.headers.allow?.toString().split(", ").sort()).toEqual(methods.toSorted());
        if (method !== "HEAD") expect(answer.json(), `${method} ${call.path}`).toMatchObject({ code: 40500 });
      }
    }
  });

  it("on the raw connection ends that connection and no other", async () => {
    const attacks = [
      "GET / HTTP/9.9\r\n\r\n",
      "nonsense\r\n\r\n",
      `GET /api/v0/client/settings HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
      "POST /api/v0/users/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST /api/v0/users/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
      "POST /api/v0/users/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
      "POST /api/v0/users/login HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\nConnection: close\r\n\r\n{",
      "GET http://169.254.169.254/latest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /api/v0/client/ip_info HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "GET //evil.example/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ];
    for (const attack of attacks) {
      const heard = await new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(app.address).port), "127.0.0.1", () =>
          socket.end(attack, "latin1"),
        );
        let text = "";
        socket.setTimeout(3000, () => socket.destroy());
        socket.on("data", (bytes) => {
          text += bytes.toString("latin1");
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve(text));
      });
      expect(heard, attack.slice(0, 60)).not.toMatch(/^HTTP\/1\.1 5\d\d/);
      expect(heard).not.toMatch(/location: *(http:)?\/\/evil/i);
    }
    expect((await person.call(createSession, {})).envelope.code).toBe(0);
  });
});
