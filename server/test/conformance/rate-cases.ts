// Who asks too often is told so, and when to ask again (wire-contract.md §1.9).
import { expect, it } from "vitest";
import type { Json } from "./person.ts";
import type { World } from "./world.ts";

const completion = "/api/v0/chat/completion";

export function rateCases(world: World): void {
  it("over the messages of a minute: 42900 with the time to wait; a repeat is none; other users are not held up", async () => {
    const person = await world.newPerson();
    const id = await person.session();
    const body: Json = { chat_session_id: id, prompt: "x", client_stream_id: "first" };
    await person.turn(body);
    // Refused ones count as well: the session is unknown.
    const nowhere = { chat_session_id: "x", prompt: "x" };
    let asked = 1;
    let said = await person.post(completion, nowhere);
    while (said.biz === 1 && asked < 200) {
      asked += 1;
      said = await person.post(completion, nowhere);
    }
    expect(asked).toBe(60);
    expect([said.status, said.msg, said.envelope.data]).toEqual([429, "RATE_LIMIT_REACHED", null]);
    expect(Number(said.header("retry-after"))).toBeGreaterThan(0);
    expect(Number(said.header("retry-after"))).toBeLessThanOrEqual(60);
    // Of the two that are wrong, the schema is told before the rate, and the rate before the proof.
    expect((await person.post(completion, { prompt: 5 })).biz).toBe(2);
    const without = await person.post(completion, nowhere, { "x-ds-pow-response": null });
    expect(without.msg).toBe("RATE_LIMIT_REACHED");
    const repeat = await person.stream("completion", body, { "x-ds-pow-response": null });
    expect((await repeat.ended()).at(-1)?.type).toBe("close");
    const other = await world.newPerson();
    await other.talk();
  });

  it("over two replies at once: 42902, until one has ended", async () => {
    const person = await world.newPerson();
    const [one, two] = [await person.held(), await person.held()];
    const third = await person.session();
    const said = await person.post(completion, { chat_session_id: third, prompt: "x" });
    expect([said.status, said.msg]).toEqual([429, "TOO_MANY_CONCURRENT_REQUESTS"]);
    expect(said.header("retry-after")).toMatch(/^[1-9]\d*$/);
    await person.stop(one.id);
    await person.turn({ chat_session_id: third, prompt: "x" });
    await person.stop(two.id);
  });

  it("over the calls of a minute: 42903 with the time to wait", async () => {
    const person = await world.newPerson();
    const most = 300 * world.target.processes;
    const codes: number[] = [];
    const ask = async (): Promise<void> => {
      while (codes.length < most + 30) {
        codes.push((await person.get("/api/v0/users/settings")).envelope.code);
      }
    };
    await Promise.all(Array.from({ length: 10 }, ask));
    expect(new Set(codes)).toEqual(new Set([0, 42903]));
    expect(codes.filter((code) => code === 0)).toHaveLength(most);
    const said = await person.get("/api/v0/users/settings");
    expect([said.status, said.msg]).toEqual([429, "OPERATION_TOO_FREQUENT"]);
    expect(said.header("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  it("over ten wrong passwords an account is closed to that network, even to the right one: 42903", async () => {
    const person = await world.newPerson();
    const login = (password: string) =>
      world.guest().post("/api/v0/users/login", { email: person.email, password });
    for (let tries = 0; tries < 10; tries += 1) expect((await login(`wrong ${tries}`)).biz).toBe(2);
    for (const password of ["wrong", person.password]) {
      const said = await login(password);
      expect([said.status, said.msg]).toEqual([429, "OPERATION_TOO_FREQUENT"]);
    }
  });
}
