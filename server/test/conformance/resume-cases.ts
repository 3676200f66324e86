// Coming back to a reply: from every position, with every header, running and ended; and stopping it
// (wire-contract.md §4.2, §11.6, §11.7).
import { expect, it } from "vitest";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { reduceReply, startResponse } from "@plumb/protocol/stream/reply-reducer";
import type { Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const resume = "/api/v0/chat/resume_stream";
const stop = "/api/v0/chat/stop_stream";

export function resumeCases(world: World): void {
  const hasDelta = (events: readonly ReceivedEvent[]): boolean => events.some(({ type }) => type === "delta");
  const lastId = (events: readonly ReceivedEvent[]): number => events.at(-1)?.id ?? 0;

  /** A reply that has come to a stand. */
  async function standing(person: Person) {
    const { id, stream } = await person.held();
    await stream.until((events) => JSON.stringify(events).includes("four"));
    return { id, stream };
  }

  it("from every position of a running reply comes exactly the rest", async () => {
    const person = await world.newPerson();
    const { id, stream } = await standing(person);
    const all = [...stream.events];
    for (let position = 1; position <= lastId(all); position += 1) {
      const known = all.slice(0, position).reduce(reduceReply, emptyReply());
      const again = await person.stream(
        "resume_stream",
        { chat_session_id: id, message_id: 2 },
        { "last-event-id": String(position) },
      );
      await again.until((events) => events.length >= 1 + lastId(all) - position);
      expect(again.events[0]).toMatchObject({ type: "ready", id: null });
      expect(again.events.slice(1).map((event) => event.id)).toEqual(
        all.slice(position).map((event) => event.id),
      );
      expect(again.state(startResponse(known)).message).toEqual(stream.message());
      again.cut();
    }
    await person.stop(id);
  });

  it.each([undefined, "", "nonsense", "1.5", "-1", "999999", "0x10"])(
    "with Last-Event-ID %j comes the whole message as it stands, then the rest",
    async (position) => {
      const person = await world.newPerson();
      const { id, stream } = await standing(person);
      const headers = position === undefined ? {} : { "last-event-id": position };
      const again = await person.stream("resume_stream", { chat_session_id: id, message_id: 2 }, headers);
      await again.until(hasDelta);
      expect(again.events.slice(0, 2).map(({ type, id: number }) => [type, number])).toEqual([
        ["ready", null],
        ["delta", lastId(stream.events)],
      ]);
      expect(again.message()).toEqual(stream.message());
      await person.stop(id);
      await Promise.all([again.ended(), stream.ended()]);
      expect(again.message()).toEqual(stream.message());
      expect(again.events.slice(2).map((event) => event.id)).toEqual(
        stream.events.slice(again.events[1]?.id ?? 0).map((event) => event.id),
      );
    },
  );

  it("three readers of one reply see the same", async () => {
    const person = await world.newPerson();
    const { id, stream } = await standing(person);
    const readers = await Promise.all(
      [1, 2, 3].map(() => person.stream("resume_stream", { chat_session_id: id, message_id: 2 })),
    );
    await Promise.all(readers.map((reader) => reader.until(hasDelta)));
    world.target.model.release();
    await Promise.all([stream, ...readers].map((reader) => reader.ended()));
    for (const reader of readers) expect(reader.message()).toEqual(stream.message());
  });

  it("a reader that goes does not stop the reply", async () => {
    const person = await world.newPerson();
    const { id, stream } = await standing(person);
    stream.cut();
    world.target.model.release();
    await expect
      .poll(async () => (await person.history(id)).chat_messages[1]?.status, { timeout: 10_000 })
      .toBe("FINISHED");
  });

  it("a running reply stands in the history as WIP with its text so far", async () => {
    const person = await world.newPerson();
    const { id, stream } = await standing(person);
    const history = await person.history(id);
    expect(history.cache_valid).toBe(false);
    expect(history.chat_messages[1]).toEqual(stream.message());
    expect(history.chat_messages[1]?.status).toBe("WIP");
    await person.stop(id);
  });

  it.each([
    ["Hello", "FINISHED"],
    ["(breaks)", "INCOMPLETE"],
    ["(fails)", "INCOMPLETE"],
    ["(withdrawn)", "CONTENT_FILTER"],
  ])("the ended reply to %j is answered whole: 22", async (prompt, status) => {
    const person = await world.person();
    const id = await person.session();
    const stream = await person.turn({ chat_session_id: id, prompt });
    for (const position of [
      {},
      { "last-event-id": "1" },
      { "last-event-id": String(lastId(stream.events)) },
    ]) {
      const said = await person.post(resume, { chat_session_id: id, message_id: 2 }, position);
      expect([said.biz, said.msg]).toEqual([22, "RESUME_GOT_FULL_MESSAGE"]);
      expect(said.data["message"]).toEqual(stream.message());
      expect(said.data["message"]).toMatchObject({ status });
      expect(said.data["chat_session"]).toEqual((await person.history(id)).chat_session);
    }
  });

  it("a reply that ended too long ago is not resumed: 8, and a repeat brings it whole from its message", async () => {
    const person = await world.person();
    const id = await person.session();
    const prompt = `Long ago in ${id}`;
    const body: Json = { chat_session_id: id, prompt, client_stream_id: "long-ago" };
    const message = (await person.turn(body)).message();
    await world.target.outdate(id);
    for (const position of [{}, { "last-event-id": "2" }]) {
      const said = await person.post(resume, { chat_session_id: id, message_id: 2 }, position);
      expect([said.biz, said.msg, said.envelope.data?.biz_data]).toEqual([8, "RESUME_TIME_TOO_LONG", null]);
    }
    const repeat = await person.stream("completion", body, { "x-ds-pow-response": null });
    const events = await repeat.ended();
    expect(events.map((event) => event.type)).toEqual([
      "ready",
      "delta",
      "finish",
      "update_session",
      "close",
    ]);
    expect(events.map((event) => event.id !== null)).toEqual([false, true, false, false, false]);
    expect(repeat.message()).toEqual(message);
    expect((await person.history(id)).chat_messages[1]).toEqual(message);
    expect(world.target.model.callsFor(prompt)).toBe(1);
  });

  it.each([1, 0, 9])("resume of the message %i: 7", async (message_id) => {
    const person = await world.person();
    const said = await person.post(resume, { chat_session_id: await person.talk(), message_id });
    expect([said.biz, said.msg, said.envelope.data?.biz_data]).toEqual([7, "RESUME_MESSAGE_NOT_FOUND", null]);
  });

  it("continue with fallback is a resume while the reply runs", async () => {
    const person = await world.newPerson();
    const { id, stream } = await standing(person);
    const body: Json = { chat_session_id: id, message_id: 2, fallback_to_resume: true };
    const again = await person.stream("continue", body, { "last-event-id": "2" });
    await again.until((events) => lastId(events) === lastId(stream.events));
    expect(again.events.slice(1).map((event) => event.id)).toEqual(
      stream.events.slice(2).map((event) => event.id),
    );
    await person.stop(id);
  });

  it("a message sent again while its reply runs is read along, without a proof", async () => {
    const person = await world.newPerson();
    const id = await person.session();
    const body = { chat_session_id: id, prompt: "Twice (held)", client_stream_id: "twice" };
    const first = await person.stream("completion", body);
    await first.until(hasDelta);
    const second = await person.stream("completion", body, { "x-ds-pow-response": null });
    await second.until(hasDelta);
    expect(second.events[0]).toMatchObject({ type: "ready", id: null, data: { response_message_id: 2 } });
    await person.stop(id);
    await Promise.all([first.ended(), second.ended()]);
    expect(second.message()).toEqual(first.message());
    expect((await person.history(id)).chat_messages).toHaveLength(2);
    expect(world.target.model.callsFor("Twice (held)")).toBeGreaterThan(0);
  });

  it.each([{}, { message_id: 2 }, { message_id: 9 }])(
    "stop with %j is no error, ended or unknown",
    async (more) => {
      const person = await world.person();
      const body = { chat_session_id: await person.talk(), ...more };
      for (const _time of [1, 2]) {
        const said = await person.post(stop, body);
        expect([said.biz, said.envelope.data?.biz_data]).toEqual([0, null]);
      }
      expect((await person.history(String(body.chat_session_id))).chat_messages[1]?.status).toBe("FINISHED");
    },
  );

  it.each([{}, { message_id: 2 }])(
    "on return of stop with %j the reply is INCOMPLETE and the session free",
    async (more) => {
      const person = await world.newPerson();
      const { id } = await standing(person);
      expect((await person.post(stop, { chat_session_id: id, ...more })).biz).toBe(0);
      const stored = (await person.history(id)).chat_messages[1];
      expect(stored?.status).toBe("INCOMPLETE");
      expect(stored?.fragments[0]?.content).toContain("four");
      await person.turn({ chat_session_id: id, prompt: "more", parent_message_id: 2 });
    },
  );

  it("stop of an ended message leaves the running one alone", async () => {
    const person = await world.newPerson();
    const id = await person.talk();
    const stream = await person.stream("completion", {
      chat_session_id: id,
      prompt: "(held)",
      parent_message_id: 2,
    });
    await stream.until(hasDelta);
    await person.must(stop, { chat_session_id: id, message_id: 2 });
    expect((await person.history(id)).chat_messages[3]?.status).toBe("WIP");
    await person.stop(id);
  });
}
