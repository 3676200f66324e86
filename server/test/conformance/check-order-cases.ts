// The order of checks (wire-contract.md §1.6): of two things that are wrong, the earlier one is answered.
import { expect, it } from "vitest";
import fc from "fast-check";
import { expectEnvelope } from "../expect-envelope.ts";
import { exchange } from "./http-exchange.ts";
import type { Person } from "./person.ts";
import type { World } from "./world.ts";

const nowhere = "00000000-0000-4000-8000-000000000000";

/** Everything that can be wrong with one request to completion, in the order of its checks, with its number. */
const faults = [
  { name: "method", step: 1, answer: 40500 },
  { name: "length", step: 2, answer: 41300 },
  { name: "token", step: 5, answer: 40002 },
  { name: "schema", step: 7, answer: 2 },
  { name: "proof", step: 10, answer: 40300 },
  { name: "session", step: 12, answer: 1 },
] as const;
type Fault = (typeof faults)[number]["name"];

export function checkOrderCases(world: World): void {
  /** Asks with these faults; resolves with the global code, or biz_code of an executed call. */
  async function ask(
    person: Person,
    wrong: ReadonlySet<Fault>,
    more: Record<string, string> = {},
  ): Promise<number> {
    const proof = wrong.has("proof") || wrong.has("token") ? {} : await person.proof();
    const body = JSON.stringify({
      chat_session_id: wrong.has("session") ? nowhere : await person.session(),
      prompt: wrong.has("schema") ? 5 : "",
    });
    person.requests += 1;
    const answered = await exchange(world.target.origin, {
      method: wrong.has("method") ? "PUT" : "POST",
      path: "/api/v0/chat/completion",
      headers: {
        ...(wrong.has("token") ? {} : { authorization: `Bearer ${person.token}` }),
        ...proof,
        ...more,
      },
      ...(wrong.has("length") ? { announcedBytes: 2 ** 21 } : { body }),
    });
    const envelope = expectEnvelope(answered);
    return envelope.code === 0 ? (envelope.data?.biz_code ?? -1) : envelope.code;
  }

  const pairs = faults.flatMap((one, index) =>
    faults.slice(index + 1).map((other) => ({ one: one.name, other: other.name, answer: one.answer })),
  );
  it.each(pairs)("$one before $other", async ({ one, other, answer }) => {
    expect(await ask(await world.person(), new Set([one, other]))).toBe(answer);
  });

  it("of any faults the first in the order is answered", async () => {
    const some = fc.subarray(
      faults.map(({ name }) => name),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(some, async (wrong) => {
        const first = faults.find(({ name }) => wrong.includes(name));
        expect(await ask(await world.person(), new Set(wrong))).toBe(first?.answer);
      }),
      { numRuns: 20 },
    );
  });

  it("a proof is spent whatever is wrong after it", async () => {
    const person = await world.person();
    const proof = await person.proof();
    const wrong = new Set<Fault>(["session", "proof"]);
    expect(await ask(person, wrong, proof)).toBe(1);
    expect(await ask(person, wrong, proof)).toBe(40301);
  });

  it("a proof is not spent by what is wrong before it", async () => {
    const person = await world.person();
    const proof = await person.proof();
    expect(await ask(person, new Set<Fault>(["schema", "proof"]), proof)).toBe(2);
    expect(await ask(person, new Set<Fault>(["session", "proof"]), proof)).toBe(1);
  });

  it("a mute is told after the proof and before the session, and only by what writes", async () => {
    const person = await world.newPerson();
    const id = await person.talk();
    const untilSecs = Math.floor(Date.now() / 1000) + 3600;
    await world.target.mute(person.email, new Date(untilSecs * 1000));
    await expect.poll(() => ask(person, new Set<Fault>(["session"])), { timeout: 5000 }).toBe(5);
    expect(await ask(person, new Set<Fault>(["schema"]))).toBe(2);
    expect(await ask(person, new Set<Fault>(["proof"]))).toBe(40300);
    const said = await person.post("/api/v0/chat/regenerate", { chat_session_id: id, child_message_id: 2 });
    const mute = { mute_until: untilSecs, is_muted: 1 };
    expect(said.envelope.data).toMatchObject({ biz_code: 5, biz_msg: "USER_IS_MUTED", biz_data: mute });
    for (const [name, body] of [
      ["edit_message", { message_id: 1, prompt: "x" }],
      ["continue", { message_id: 2 }],
    ] as const) {
      const refused = await person.post(`/api/v0/chat/${name}`, { chat_session_id: id, ...body });
      expect(refused.biz, name).toBe(5);
    }
    const resumed = await person.post("/api/v0/chat/resume_stream", { chat_session_id: id, message_id: 2 });
    expect(resumed.biz).toBe(22);
    expect((await person.history(id)).chat_messages).toHaveLength(2);
    const { data } = await person.get("/api/v0/users/current");
    expect(data["chat"]).toEqual({ is_muted: 1, mute_until: untilSecs });
  });

  it("a ban ends the token: 40012, and signing in is refused only with the right password", async () => {
    const person = await world.newPerson();
    await world.target.ban(person.email);
    await expect
      .poll(async () => (await person.get("/api/v0/users/current")).envelope.code, { timeout: 5000 })
      .toBe(40012);
    const login = async (password: string) =>
      (await world.guest().post("/api/v0/users/login", { email: person.email, password })).biz;
    expect(await login(person.password)).toBe(10);
    expect(await login("another password")).toBe(2);
  });
}
