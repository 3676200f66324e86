// Public links: made, listed, read by anybody, continued, ended (wire-contract.md §3.6, §13, §18.8).
import { expect, it } from "vitest";
import { withoutTraceId } from "../expect-envelope.ts";
import type { Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const at = (name: string): string => `/api/v0/share/${name}`;

export function shareCases(world: World): void {
  async function shared(person: Person): Promise<{ session: string; id: string }> {
    const session = await person.talk("Shared");
    const { share_id } = await person.must(at("create"), { chat_session_id: session, message_ids: [1, "2"] });
    return { session, id: String(share_id) };
  }
  const read = (person: Person, id: string) =>
    person.get(`${at("content")}?share_id=${encodeURIComponent(id)}`);

  it("a share has an id of 18 characters and is read by anybody, under a made-up session", async () => {
    const person = await world.newPerson();
    const { session, id } = await shared(person);
    expect(id).toMatch(/^[a-z0-9]{18}$/);
    const { data } = await read(world.guest(), id);
    expect(data).toMatchObject({ share_id: id, title: expect.any(String) as string });
    expect(data["chat_session_id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(data["chat_session_id"]).not.toBe(session);
    const messages = data["messages"] as Json[];
    expect(messages.map(({ message_id, parent_id, role }) => [message_id, parent_id, role])).toEqual([
      [1, null, "USER"],
      [2, 1, "ASSISTANT"],
    ]);
    // Whose it is, its owner alone is told.
    expect((await read(person, id)).data).toEqual({ ...data, own: true });
    const { shares } = (await person.get(at("list"))).data as { shares: Json[] };
    expect(shares).toEqual([
      {
        share_id: id,
        created_at: data["created_at"],
        chat_session_id: session,
        hint: data["title"],
        questions: 1,
        disabled: false,
      },
    ]);
  });

  it.each([
    [[], 5, "SOME_MESSAGES_CANNOT_BE_SHARED"],
    [[1, 2, 3], 5, "SOME_MESSAGES_CANNOT_BE_SHARED"],
    [[2], 6, "MESSAGES_MUST_BE_IN_PAIRS"],
    [[1, 2, 1], 10, "DUPLICATE"],
  ])("create refuses %j", async (message_ids, code, msg) => {
    const person = await world.newPerson();
    const said = await person.post(at("create"), { chat_session_id: await person.talk(), message_ids });
    expect([said.biz, said.msg, said.envelope.data?.biz_data]).toEqual([code, msg, null]);
  });

  it("an eleventh share of a session is one too many", async () => {
    const person = await world.newPerson();
    const { session } = await shared(person);
    const create = () => person.post(at("create"), { chat_session_id: session, message_ids: [1, 2] });
    for (let count = 1; count < 10; count += 1) expect((await create()).biz).toBe(0);
    expect([(await create()).biz, (await create()).msg]).toEqual([7, "TOO_MANY_SHARES_FOR_THIS_SESSION"]);
  });

  it("fork makes a session of the caller's own, and goes on in it", async () => {
    const { id } = await shared(await world.newPerson());
    const person = await world.newPerson();
    const own = String((await person.must(at("fork"), { share_id: id }))["chat_session_id"]);
    const { chat_session: session, chat_messages: messages } = await person.history(own);
    expect(session).toMatchObject({ id: own, title_type: "SYSTEM", current_message_id: 2 });
    expect(messages).toEqual((await read(person, id)).data["messages"]);
    await person.turn({ chat_session_id: own, prompt: "More", parent_message_id: 2 });
    expect((await person.history(own)).chat_messages).toHaveLength(4);
  });

  it("an ended share says 2, one of a deleted session 3, and what was never one 1", async () => {
    const person = await world.newPerson();
    const [one, two] = [await shared(person), await shared(person)];
    const stranger = await world.person();
    const absent = await stranger.post(at("delete"), { share_id: "a".repeat(18) });
    expect([absent.biz, absent.msg]).toEqual([1, "SHARE_NOT_FOUND"]);
    const foreign = await stranger.post(at("delete"), { share_id: one.id });
    expect(withoutTraceId(foreign.text)).toBe(withoutTraceId(absent.text));
    await person.must(at("delete"), { share_id: one.id });
    await person.must("/api/v0/chat_session/delete", { chat_session_id: two.session });
    const guest = world.guest();
    for (const [id, code, msg] of [
      [one.id, 2, "SHARE_IS_DELETED_OR_BANNED"],
      [two.id, 3, "ORIGINAL_SESSION_DELETED"],
      ["a".repeat(18), 1, "SHARE_DOES_NOT_EXIST"],
      ["", 1, "SHARE_DOES_NOT_EXIST"],
      [one.id.toUpperCase(), 1, "SHARE_DOES_NOT_EXIST"],
    ] as const) {
      const said = await read(guest, id);
      expect([said.biz, said.msg, said.envelope.data?.biz_data]).toEqual([code, msg, null]);
    }
    expect((await person.get(at("list"))).data).toEqual({ shares: [] });
  });

  it.each(["0", "101", "-1"])("a list of %s is ILLEGAL_COUNT", async (count) => {
    const said = await (await world.person()).get(`${at("list")}?count=${count}`);
    expect([said.biz, said.msg]).toEqual([1, "ILLEGAL_COUNT"]);
  });
}
