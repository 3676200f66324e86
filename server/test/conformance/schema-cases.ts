// What each field of each call takes, and how a wrong one is refused (wire-contract.md §1.4 "Schema error", §1.7).
import { expect, it } from "vitest";
import type { Answered } from "./http-exchange.ts";
import { everyCall, type FieldRule } from "./request-fields.ts";
import { expectDesigned, expectEnvelope } from "../expect-envelope.ts";
import { endsSignIn } from "../ends-sign-in.ts";
import type { Person } from "./person.ts";
import type { World } from "./world.ts";

type Row = (typeof everyCall)[number];

/** No session has it, so that no call does anything. */
const nowhere = "00000000-0000-4000-8000-000000000000";
const list = (count: number): string[] => Array.from({ length: count }, () => "x");

function goodValue({ kind, good }: FieldRule): unknown {
  if (good !== undefined) return good;
  const values = { text: nowhere, id: 1, number: 1.5, bool: false, texts: [nowhere], ids: [1, "2"] };
  return values[kind as keyof typeof values];
}

function wrongValues({ kind, max, required, nullable }: FieldRule): unknown[] {
  const absent = [...(required === true ? [null, undefined] : []), ...(nullable === true ? [undefined] : [])];
  const values: Record<FieldRule["kind"], unknown[]> = {
    text: [5, true, ["x"], { x: 1 }, ...(max === undefined ? [] : ["x".repeat(max + 1), "𝒙\0", "\ud800"])],
    id: ["two", 1.5, "1.0", "0x10", "", 2 ** 53, "99999999999999999999", true, {}],
    number: ["two", true, {}],
    bool: [1, 0, "true", {}],
    texts: ["x", { length: 1, 0: "x" }, [1], [null], ...(max === undefined ? [] : [list(max + 1)])],
    ids: [
      "x",
      1,
      { length: 1, 0: 1 },
      ["two"],
      [1.5],
      [null],
      Array.from({ length: (max ?? 0) + 1 }, () => 1),
    ],
    one_of: ["nonsense", 5, true],
    object: ["x", 5, []],
    list: ["x", 5, true, { length: 0 }],
  };
  return [...absent, ...values[kind]];
}

/** Those that a query can carry. */
function wrongInQuery({ kind, max, required }: FieldRule): (string | undefined)[] {
  const absent = required === true ? [undefined] : [];
  if (kind === "text") return [...absent, ...(max === undefined ? [] : ["x".repeat(max + 1)])];
  return [...absent, "two", "1.5.5", "", "99999999999999999999"];
}

function goodInput(row: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row.fields).map(([name, rule]) => [name, goodValue(rule)]));
}

async function ask(person: Person, row: Row, input: Record<string, unknown>): Promise<Answered> {
  if (row.method === "POST") return person.send("POST", row.path, input);
  const entries = Object.entries(input).filter((entry) => entry[1] !== undefined && entry[1] !== null);
  const query = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]));
  return person.send("GET", `${row.path}?${query.toString()}`);
}

function expectRefused(row: Row, answered: Answered, field: string): void {
  const envelope = expectEnvelope(answered);
  const expected =
    row.answers === "stream"
      ? { code: 0, data: { biz_code: 2, biz_msg: "INVALID_PARAMS", biz_data: null } }
      : { code: 42200, msg: "INVALID_PARAMS", data: null };
  expect(envelope, answered.text).toMatchObject(expected);
  expect(answered.status).toBe(row.answers === "stream" ? 200 : 422);
  const loc = `${row.method === "POST" ? "body" : "query"}.${field}`;
  const locs = (envelope.detail ?? []).map((one) => one.loc);
  expect(locs.length).toBeGreaterThan(0);
  for (const found of locs)
    expect([found, found.startsWith(`${loc}.`) ? found : loc]).toEqual([found, found]);
}

function expectTaken(row: Row, answered: Answered): void {
  const envelope = expectDesigned(row, answered);
  if (envelope === null) return;
  expect(envelope.detail, answered.text).toBeUndefined();
  expect(envelope.msg).not.toBe("INVALID_PARAMS");
}

export function schemaCases(world: World): void {
  const caller = (row: Row): Person | Promise<Person> =>
    row.auth === "none" ? world.guest() : world.person();
  const fields = everyCall.flatMap((row) =>
    Object.entries(row.fields).map(([field, rule]) => ({ row, field, rule, name: `${row.name} ${field}` })),
  );
  // What would end the account of the others, or its sessions, is asked elsewhere.
  const harmless = everyCall.filter((row) => !endsSignIn(row) && !row.path.endsWith("/delete_all"));

  it.each(harmless)("$name takes what the contract says of its fields", async (row) => {
    expectTaken(row, await ask(await caller(row), row, goodInput(row)));
  });

  it.each(fields)("$name refuses a value of another kind", async ({ row, field, rule }) => {
    const person = await caller(row);
    const values = row.method === "POST" ? wrongValues(rule) : wrongInQuery(rule);
    for (const value of values) {
      const input = { ...goodInput(row), [field]: value };
      expectRefused(row, await ask(person, row, input), field);
    }
  });

  const optional = fields.filter(({ rule, row, field }) => {
    const either = row.path.endsWith("/delete") && field === "chat_session_id";
    return rule.required !== true && rule.nullable !== true && row.method === "POST" && !either;
  });
  it.each(optional)("$name may be absent or null", async ({ row, field }) => {
    const person = await caller(row);
    const { [field]: _left, ...without } = goodInput(row);
    expectTaken(row, await ask(person, row, without));
    expectTaken(row, await ask(person, row, { ...without, [field]: null }));
  });

  const ids = fields.filter(({ rule, row }) => rule.kind === "id" && row.method === "POST");
  it.each(ids)("$name may be a numeric string", async ({ row, field }) => {
    expectTaken(row, await ask(await caller(row), row, { ...goodInput(row), [field]: "7" }));
  });

  const bounded = fields.filter(({ rule, row }) => rule.max !== undefined && row.method === "POST");
  it.each(bounded)("$name may be as long as its bound", async ({ row, field, rule }) => {
    const max = rule.max ?? 0;
    const lists: Partial<Record<FieldRule["kind"], unknown>> = { texts: list(max), ids: Array(max).fill(1) };
    const value = lists[rule.kind] ?? "𝒙".repeat(max);
    expectTaken(row, await ask(await caller(row), row, { ...goodInput(row), [field]: value }));
  });

  it("what cannot be read as JSON names the body; unknown and duplicate keys do not matter", async () => {
    const person = await world.person();
    const path = "/api/v0/chat_session/update_title";
    for (const body of ["{", "nonsense", '"text"', "[]", '{"a":01}', "null"]) {
      const said = await person.post(path, body);
      expect([said.status, said.msg, said.envelope.detail?.[0]?.loc]).toEqual([
        422,
        "INVALID_PARAMS",
        "body",
      ]);
    }
    const id = await person.session();
    const twice = `{"title":"A","chat_session_id":"x","title":"B","chat_session_id":"${id}","more":{"x":[1]}}`;
    expect((await person.post(path, twice)).data["title"]).toBe("B");
  });

  it("a missing or empty body counts as an empty object, and JSON is JSON under any Content-Type", async () => {
    const person = await world.person();
    for (const body of [undefined, "", " \n", "{}", "\ufeff{}"]) {
      const answered = await person.send("POST", "/api/v0/chat_session/create", body);
      expect(expectEnvelope(answered).data?.biz_code, JSON.stringify(body)).toBe(0);
    }
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "nonsense"]) {
      const said = await person.post("/api/v0/users/update_settings", {}, { "content-type": type });
      expect(said.biz, type).toBe(0);
    }
  });
}
