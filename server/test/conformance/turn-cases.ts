// What a turn may ask, and every number it can be refused with but those that file-cases.ts and character-cases.ts have
// (wire-contract.md §11.2–§11.5, §18.2).
import { expect, it } from "vitest";
import type { Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const at = (name: string): string => `/api/v0/chat/${name}`;

export function turnCases(world: World): void {
  async function expectRefused(
    person: Person,
    name: string,
    body: Json,
    code: number,
    msg: string,
  ): Promise<void> {
    const said = await person.post(at(name), body);
    expect([said.biz, said.msg, said.envelope.data?.biz_data], said.text).toEqual([code, msg, null]);
  }

  const missing = [0, -1, 3, 9_007_199_254_740_991];
  it.each(missing)("completion under the message %i that is not there: 26", async (parent_message_id) => {
    const person = await world.person();
    const body = { chat_session_id: await person.talk(), prompt: "x", parent_message_id };
    await expectRefused(person, "completion", body, 26, "INVALID_PARENT_MESSAGE_ID");
  });

  it("completion under a user message: 2", async () => {
    const person = await world.person();
    const body = { chat_session_id: await person.talk(), prompt: "x", parent_message_id: 1 };
    await expectRefused(person, "completion", body, 2, "PARENT_MESSAGE_NOT_ASSISTANT");
  });

  it.each(["", " ", "\n\t\u3000", "\u200b\u2060"])("the prompt %j is empty: 6", async (prompt) => {
    const person = await world.person();
    const id = await person.talk();
    await expectRefused(person, "completion", { chat_session_id: id, prompt }, 6, "EMPTY_PROMPT");
    await expectRefused(
      person,
      "edit_message",
      { chat_session_id: id, message_id: 1, prompt },
      6,
      "EMPTY_PROMPT",
    );
  });

  it.each(["\0", "a\0b", "\ud800", "x\udc00"])("the prompt %j is no text: 19", async (prompt) => {
    const person = await world.person();
    const id = await person.talk();
    await expectRefused(person, "completion", { chat_session_id: id, prompt }, 19, "INVALID_UNICODE");
    await expectRefused(
      person,
      "edit_message",
      { chat_session_id: id, message_id: 1, prompt },
      19,
      "INVALID_UNICODE",
    );
  });

  it("a session takes no more than its number of messages: 3", async () => {
    const person = await world.person();
    const { data } = await person.get("/api/v0/client/settings");
    const most = (data["limits"] as { max_messages: number }).max_messages;
    const id = await person.session();
    for (let count = 0; count < most; count += 2)
      await person.turn({ chat_session_id: id, prompt: `${count}` });
    const msg = "MAX_MESSAGE_COUNT_REACHED";
    await expectRefused(person, "completion", { chat_session_id: id, prompt: "x" }, 3, msg);
    await expectRefused(person, "regenerate", { chat_session_id: id, child_message_id: 2 }, 3, msg);
    await expectRefused(person, "edit_message", { chat_session_id: id, message_id: 1, prompt: "x" }, 3, msg);
  });

  it.each(["nobody", "small ", "__proto__", "DEFAULT"])("the model %j is not offered: 27", async (model) => {
    const person = await world.person();
    const id = await person.talk();
    const msg = "MODEL_NOT_AVAILABLE";
    await expectRefused(person, "completion", { chat_session_id: id, prompt: "x", model }, 27, msg);
    await expectRefused(person, "regenerate", { chat_session_id: id, child_message_id: 2, model }, 27, msg);
    await expectRefused(
      person,
      "edit_message",
      { chat_session_id: id, message_id: 1, prompt: "x", model },
      27,
      msg,
    );
  });

  it.each([
    [undefined, ""],
    [null, ""],
    ["", ""],
    ["default", ""],
    ["small", "small"],
    ["large", "large"],
  ])("a turn with the model %j has the model %j, in all three calls", async (model, kept) => {
    const person = await world.person();
    const chat_session_id = await person.session();
    const chosen = model === undefined ? {} : { model };
    const sent = await person.turn({ chat_session_id, prompt: "x", ...chosen });
    const redone = await person.turn({ chat_session_id, child_message_id: 2, ...chosen }, "regenerate");
    const edited = await person.turn(
      { chat_session_id, message_id: 1, prompt: "y", ...chosen },
      "edit_message",
    );
    expect([sent, redone, edited].map((stream) => stream.message().model)).toEqual([kept, kept, kept]);
  });

  it("messages that the caller has not seen: 28, and nothing is begun", async () => {
    const person = await world.person();
    const id = await person.talk();
    const send = (known_last_message_id: number): Json => ({
      chat_session_id: id,
      prompt: "x",
      parent_message_id: 2,
      known_last_message_id,
    });
    for (const known of [0, 1])
      await expectRefused(person, "completion", send(known), 28, "SESSION_HAS_NEWER_MESSAGES");
    expect((await person.history(id)).chat_messages).toHaveLength(2);
    await person.turn(send(2));
  });

  it.each([1, 9, 0])("regenerate of the message %i: 26", async (child_message_id) => {
    const person = await world.person();
    const body = { chat_session_id: await person.talk(), child_message_id };
    await expectRefused(person, "regenerate", body, 26, "INVALID_MESSAGE_ID");
  });

  it.each([2, 9, 0])("edit_message of the message %i: 26", async (message_id) => {
    const person = await world.person();
    const body = { chat_session_id: await person.talk(), message_id, prompt: "x" };
    await expectRefused(person, "edit_message", body, 26, "INVALID_MESSAGE_ID");
  });

  it("a message that may not be edited: 12, and its reply is made anew all the same", async () => {
    const person = await world.person();
    const id = await person.talk();
    await world.target.banEdit(id, 1);
    expect((await person.history(id)).chat_messages[0]).toMatchObject({ ban_edit: true });
    const body = { chat_session_id: id, message_id: 1, prompt: "x" };
    await expectRefused(person, "edit_message", body, 12, "EDIT_NOT_ALLOWED");
    expect((await person.history(id)).chat_messages).toHaveLength(2);
    await person.turn({ chat_session_id: id, child_message_id: 2 }, "regenerate");
  });

  it.each([1, 9])("continue of the message %i: 26", async (message_id) => {
    const person = await world.person();
    const body = { chat_session_id: await person.talk(), message_id };
    await expectRefused(person, "continue", body, 26, "INVALID_MESSAGE_ID");
  });

  it("continue of what has ended whole, or has messages under it: 23", async () => {
    const person = await world.newPerson();
    const finished = await person.talk();
    const body = { chat_session_id: finished, message_id: 2 };
    await expectRefused(person, "continue", body, 23, "MESSAGE_IS_NOT_LEAF");
    const { id } = await person.held();
    await person.stop(id);
    await person.turn({ chat_session_id: id, prompt: "more", parent_message_id: 2 });
    await expectRefused(
      person,
      "continue",
      { chat_session_id: id, message_id: 2 },
      23,
      "MESSAGE_IS_NOT_LEAF",
    );
  });

  it("continue with fallback answers a finished message whole: 22", async () => {
    const person = await world.person();
    const body = { chat_session_id: await person.talk(), message_id: 2, fallback_to_resume: true };
    const said = await person.post(at("continue"), body);
    expect([said.biz, said.msg]).toEqual([22, "RESUME_GOT_FULL_MESSAGE"]);
    expect(said.data["message"]).toMatchObject({ message_id: 2, status: "FINISHED" });
  });

  it("a withdrawn reply cannot be regenerated: 4", async () => {
    const person = await world.person();
    const id = await person.talk("Say it (withdrawn)");
    expect((await person.history(id)).chat_messages[1]).toMatchObject({
      status: "CONTENT_FILTER",
      ban_regenerate: true,
    });
    const said = await person.post(at("regenerate"), { chat_session_id: id, child_message_id: 2 });
    expect(said.biz).toBe(4);
    expect(["REGENERATE_ON_TEMPLATE_RESPONSE", "REGENERATE_NOT_ALLOWED"]).toContain(said.msg);
  });

  it("deep thinking is counted by its flag and refused over the quota of the day: 15", async () => {
    const person = await world.newPerson();
    const chat_session_id = await person.session();
    for (let used = 1; used <= 3; used += 1) {
      const stream = await person.turn({
        chat_session_id,
        prompt: `${used} (thinks)`,
        thinking_enabled: true,
      });
      const last = stream.events.findLast((event) => event.type === "update_session");
      expect(last?.data).toMatchObject({ thinking_quota: { quota: 3, used } });
    }
    const said = await person.post(at("completion"), {
      chat_session_id,
      prompt: "x",
      thinking_enabled: true,
    });
    expect([said.biz, said.msg]).toEqual([15, "THINKING_QUOTA_EXCEEDED"]);
    expect(said.data).toMatchObject({ quota: 3, used: 3 });
    await person.turn({ chat_session_id, prompt: "x" });
  });

  it("a thinking reply without any text gives its share of the quota back", async () => {
    const person = await world.newPerson();
    const chat_session_id = await person.session();
    await person.turn({ chat_session_id, prompt: "x (fails)", thinking_enabled: true });
    const { thinking } = (await person.get("/api/v0/users/feature_quota")).data as { thinking: Json };
    expect(thinking["used"]).toBe(0);
  });

  it.each(["completion", "regenerate", "edit_message"])(
    "%s has a client_stream_id for one content: 18",
    async (name) => {
      const person = await world.person();
      const id = await person.talk();
      const bodies: Record<string, Json> = {
        completion: { prompt: "x", parent_message_id: 2 },
        regenerate: { child_message_id: 2 },
        edit_message: { message_id: 1, prompt: "x" },
      };
      const others: Record<string, Json> = {
        completion: { prompt: "y", parent_message_id: 2 },
        regenerate: { child_message_id: 3 },
        edit_message: { message_id: 1, prompt: "y" },
      };
      const own = { chat_session_id: id, client_stream_id: `own-${name}` };
      const first = await person.turn({ ...own, ...bodies[name] }, name);
      const message = first.message();
      expect(message.client_stream_id).toBe(`own-${name}`);
      const repeat = await person.stream(name, { ...own, ...bodies[name] }, { "x-ds-pow-response": null });
      await repeat.ended();
      expect(repeat.message()).toEqual(message);
      expect(repeat.events.at(-1)?.type).toBe("close");
      await expectRefused(person, name, { ...own, ...others[name] }, 18, "CLIENT_STREAM_ID_REUSED");
      const looked = await person.must(at("get_client_streams"), {
        chat_session_id: id,
        client_stream_ids: [`own-${name}`, "unknown"],
      });
      expect(looked["client_streams"]).toEqual([
        {
          client_stream_id: `own-${name}`,
          request_message_id: message.parent_id,
          response_message_id: message.message_id,
          status: "FINISHED",
        },
      ]);
    },
  );
}
