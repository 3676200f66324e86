// What belongs to another, what is absent and what was deleted (wire-contract.md §1.6 end, §10).
import { expect, it } from "vitest";
import { withoutTraceId } from "../expect-envelope.ts";
import type { Json, Person, Said } from "./person.ts";
import type { World } from "./world.ts";

const calls: { path: string; body: Json }[] = [
  { path: "/api/v0/chat/completion", body: { prompt: "x" } },
  { path: "/api/v0/chat/regenerate", body: { child_message_id: 2 } },
  { path: "/api/v0/chat/edit_message", body: { message_id: 1, prompt: "x" } },
  { path: "/api/v0/chat/continue", body: { message_id: 2 } },
  { path: "/api/v0/chat/resume_stream", body: { message_id: 2 } },
  { path: "/api/v0/chat/stop_stream", body: { message_id: 2 } },
  { path: "/api/v0/chat/get_client_streams", body: { client_stream_ids: ["annas-stream"] } },
  { path: "/api/v0/chat/message_feedback", body: { message_id: 2, feedback_type: "GOOD" } },
  { path: "/api/v0/chat/history_messages", body: {} },
  { path: "/api/v0/chat_session/update_title", body: { title: "x" } },
  { path: "/api/v0/chat_session/update_pinned", body: { pinned: true } },
  { path: "/api/v0/chat_session/delete", body: {} },
  { path: "/api/v0/share/create", body: { message_ids: [1, 2] } },
];

export function strangerCases(world: World): void {
  let annas: Promise<{ anna: Person; kept: string; deleted: string }> | null = null;
  const sessionsOfAnna = async () => {
    annas ??= (async () => {
      const anna = await world.newPerson();
      const kept = await anna.session();
      await anna.turn({ chat_session_id: kept, prompt: "Mine", client_stream_id: "annas-stream" });
      const deleted = await anna.talk();
      await anna.must("/api/v0/chat_session/delete", { chat_session_id: deleted });
      return { anna, kept, deleted };
    })();
    return annas;
  };

  function ask(person: Person, { path, body }: (typeof calls)[number], id: string): Promise<Said> {
    return path.endsWith("history_messages")
      ? person.get(`${path}?chat_session_id=${encodeURIComponent(id)}`)
      : person.post(path, { chat_session_id: id, ...body });
  }

  it.each(calls)("$path answers the same for another's session, an absent one and no id", async (call) => {
    const { kept, deleted } = await sessionsOfAnna();
    const person = await world.person();
    const absent = await ask(person, call, crypto.randomUUID());
    expect([absent.biz, absent.msg, absent.envelope.data?.biz_data]).toEqual([
      1,
      "ILLEGAL_CHAT_SESSION_ID",
      null,
    ]);
    for (const id of [kept, deleted, "", "nonsense", kept.toUpperCase(), "__proto__"]) {
      expect(withoutTraceId((await ask(person, call, id)).text), id).toBe(withoutTraceId(absent.text));
    }
  });

  it.each(calls)("$path tells the owner of a session that it was deleted", async (call) => {
    const { anna, deleted } = await sessionsOfAnna();
    const said = await ask(anna, call, deleted);
    expect([said.biz, said.msg, said.envelope.data?.biz_data]).toEqual([1, "CHAT_SESSION_DELETED", null]);
  });

  it("nothing that a stranger asked for has changed anything", async () => {
    const { anna, kept } = await sessionsOfAnna();
    const { chat_session: session, chat_messages: messages } = await anna.history(kept);
    expect(messages).toHaveLength(2);
    expect(messages[1]?.feedback).toBeNull();
    expect(session).toMatchObject({ pinned: false, title_type: "SYSTEM" });
  });

  it("a list of others' sessions deletes the caller's own alone", async () => {
    const { anna, kept } = await sessionsOfAnna();
    const person = await world.person();
    const own = await person.talk();
    await person.must("/api/v0/chat_session/delete", { chat_session_ids: [kept, own, "nonsense"] });
    expect((await person.get(`/api/v0/chat/history_messages?chat_session_id=${own}`)).msg).toBe(
      "CHAT_SESSION_DELETED",
    );
    expect((await anna.history(kept)).chat_messages).toHaveLength(2);
  });
}
