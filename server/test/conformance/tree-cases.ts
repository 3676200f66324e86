// What turns make of a session's tree, and what a reader thinks of a reply (wire-contract.md §3.3, §11.9, §17.2).
import { expect, it } from "vitest";
import type { Json } from "./person.ts";
import type { World } from "./world.ts";

const at = (name: string): string => `/api/v0/chat/${name}`;

export function treeCases(world: World): void {
  it("the tree is what was asked for: branches of edits and regenerations, ids never used twice", async () => {
    const person = await world.person();
    const id = await person.talk("first");
    await person.turn({ chat_session_id: id, child_message_id: 2 }, "regenerate");
    await person.turn({ chat_session_id: id, message_id: 1, prompt: "second" }, "edit_message");
    await person.turn({ chat_session_id: id, prompt: "third", parent_message_id: 3 });
    const { chat_messages: messages, chat_session: session } = await person.history(id);
    expect(messages.map(({ message_id, parent_id, role }) => [message_id, parent_id, role])).toEqual([
      [1, null, "USER"],
      [2, 1, "ASSISTANT"],
      [3, 1, "ASSISTANT"],
      [4, null, "USER"],
      [5, 4, "ASSISTANT"],
      [6, 3, "USER"],
      [7, 6, "ASSISTANT"],
    ]);
    expect(session.current_message_id).toBe(7);
  });

  it("a resend after an early failure leaves one branch", async () => {
    const person = await world.person();
    const id = await person.talk("x (fails)");
    expect((await person.history(id)).chat_messages.map(({ status }) => status)).toEqual([
      "FINISHED",
      "INCOMPLETE",
    ]);
    await person.turn({ chat_session_id: id, prompt: "again" });
    const { chat_messages: messages } = await person.history(id);
    expect(messages.map(({ message_id }) => message_id)).toEqual([3, 4]);
  });

  it("feedback is kept, taken back, and refused where there is no reply: 2, 3", async () => {
    const person = await world.person();
    const chat_session_id = await person.talk();
    const rate = (body: Json) => person.post(at("message_feedback"), { chat_session_id, ...body });
    const stored = async () => (await person.history(chat_session_id)).chat_messages[1]?.feedback;
    const full = { feedback_type: "BAD", feedback_tag: "fake", description: "wrong 数" };
    expect((await rate({ message_id: 2, ...full })).biz).toBe(0);
    expect(await stored()).toEqual(full);
    expect((await rate({ message_id: 2, feedback_type: "GOOD" })).biz).toBe(0);
    expect(await stored()).toMatchObject({ feedback_type: "GOOD", feedback_tag: null });
    for (const feedback_type of ["", null]) {
      await rate({ message_id: 2, ...full });
      expect((await rate({ message_id: 2, feedback_type, feedback_tag: "fake" })).biz).toBe(0);
      expect(await stored()).toBeNull();
    }
    expect((await rate({ message_id: 9, feedback_type: "GOOD" })).msg).toBe("MESSAGE_NOT_FOUND");
    const mine = await rate({ message_id: 1, feedback_type: "GOOD" });
    expect([mine.biz, mine.msg]).toEqual([3, "NOT_AN_ASSISTANT_MESSAGE"]);
  });
}
