// One reply runs per session: what every other call is answered meanwhile (wire-contract.md §17.1).
import { expect, it } from "vitest";
import type { Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const at = (name: string): string => `/api/v0/chat/${name}`;

export function lockCases(world: World): void {
  async function expectRefused(
    person: Person,
    name: string,
    body: Json,
    code: number,
    msg: string,
  ): Promise<void> {
    const said = await person.post(at(name), body);
    expect([said.biz, said.msg], said.text).toEqual([code, msg]);
  }

  /** What each call is answered while message 4 of the session is being written. */
  const locks: { name: string; call: string; body: Json; code: number; msg: string }[] = [
    {
      name: "completion under it",
      call: "completion",
      body: { prompt: "x", parent_message_id: 4 },
      code: 25,
      msg: "PARENT_MESSAGE_LOCKED",
    },
    {
      name: "completion elsewhere",
      call: "completion",
      body: { prompt: "x", parent_message_id: 2 },
      code: 11,
      msg: "LAST_MESSAGE_IS_WIP",
    },
    {
      name: "completion at a new root",
      call: "completion",
      body: { prompt: "x" },
      code: 11,
      msg: "LAST_MESSAGE_IS_WIP",
    },
    {
      name: "regenerate of it",
      call: "regenerate",
      body: { child_message_id: 4 },
      code: 24,
      msg: "CURRENT_MESSAGE_LOCKED",
    },
    {
      name: "regenerate elsewhere",
      call: "regenerate",
      body: { child_message_id: 2 },
      code: 11,
      msg: "LAST_MESSAGE_IS_WIP",
    },
    {
      name: "edit of the prompt above it",
      call: "edit_message",
      body: { message_id: 3, prompt: "x" },
      code: 24,
      msg: "CURRENT_MESSAGE_LOCKED",
    },
    {
      name: "edit elsewhere",
      call: "edit_message",
      body: { message_id: 1, prompt: "x" },
      code: 11,
      msg: "LAST_MESSAGE_IS_WIP",
    },
    {
      name: "continue of it",
      call: "continue",
      body: { message_id: 4 },
      code: 24,
      msg: "CURRENT_MESSAGE_LOCKED",
    },
  ];
  let busy: Promise<{ person: Person; id: string }> | null = null;
  const whileWriting = () => {
    busy ??= (async () => {
      const person = await world.newPerson();
      const id = await person.talk();
      const stream = await person.stream("completion", {
        chat_session_id: id,
        prompt: "(held)",
        parent_message_id: 2,
      });
      await stream.until((events) => events.some(({ type }) => type === "delta"));
      return { person, id };
    })();
    return busy;
  };
  it.each(locks)("while a reply is written, $name: $code", async ({ call, body, code, msg }) => {
    const { person, id } = await whileWriting();
    await expectRefused(person, call, { chat_session_id: id, ...body }, code, msg);
  });

  it("while a reply is written, regenerate of its sibling: 25", async () => {
    const person = await world.newPerson();
    const id = await person.talk();
    const stream = await person.stream("edit_message", {
      chat_session_id: id,
      message_id: 1,
      prompt: "(held)",
    });
    await stream.until((events) => events.some(({ type }) => type === "delta"));
    await person.stop(id);
    const again = await person.stream("regenerate", { chat_session_id: id, child_message_id: 4 });
    await again.until((events) => events.some(({ type }) => type === "delta"));
    await expectRefused(
      person,
      "regenerate",
      { chat_session_id: id, child_message_id: 4 },
      25,
      "PARENT_MESSAGE_LOCKED",
    );
    await person.stop(id);
  });

  it("of two calls at the same instant one wins", async () => {
    const person = await world.newPerson();
    const id = await person.session();
    const answers = await Promise.all(
      ["a (held)", "b (held)", "c (held)"].map(async (prompt) =>
        person.send("POST", at("completion"), { chat_session_id: id, prompt }, await person.proof()),
      ),
    );
    const streams = answers.filter(({ stream }) => stream !== null);
    expect(streams).toHaveLength(1);
    for (const { stream, text } of answers) {
      if (stream === null) expect(text).toContain("LAST_MESSAGE_IS_WIP");
    }
    expect((await person.history(id)).chat_messages).toHaveLength(2);
    await person.stop(id);
  });
}
