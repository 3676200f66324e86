// Sessions: made, listed page by page, renamed, pinned, deleted (wire-contract.md §3.2, §10, §19.7).
import type { SearchPage } from "@plumb/protocol/wire/history";
import { expect, it } from "vitest";
import type { Json, Person } from "./person.ts";
import type { World } from "./world.ts";

const at = (name: string): string => `/api/v0/chat_session/${name}`;

export function sessionCases(world: World): void {
  it.each([
    [{}, "chat"],
    [{ character_id: "chat" }, "chat"],
    [{ character_id: "coder" }, "coder"],
    [{ agent: "coder" }, "coder"],
    [{ character_id: "chat_cache1" }, "chat_cache1"],
    [{ character_id: "chat_cache2" }, "chat_cache2"],
  ])("create %j makes a session of the agent %s", async (body, agent) => {
    const person = await world.person();
    const { chat_session: session, ttl_seconds, ...flat } = await person.must(at("create"), body);
    expect(flat).toEqual(session);
    expect(ttl_seconds).toBe(86_400);
    expect(flat).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as string,
      seq_id: expect.any(Number) as number,
      agent,
      character_id: null,
      model_type: "default",
      title: null,
      title_type: "WIP",
      version: expect.any(Number) as number,
      current_message_id: null,
      pinned: false,
      is_empty: true,
      route_id: null,
      inserted_at: expect.any(Number) as number,
      updated_at: expect.any(Number) as number,
    });
  });

  it.each(["nobody", "", "__proto__", "00000000-0000-4000-8000-000000000000"])(
    "create refuses the agent %j",
    async (character_id) => {
      const said = await (await world.person()).post(at("create"), { character_id });
      if (character_id === "") expect([0, 20]).toContain(said.biz);
      else expect([said.biz, said.msg]).toEqual([20, "CHARACTER_NOT_AVAILABLE"]);
    },
  );

  it.each([
    ["  A title ", "A title"],
    ["x".repeat(32), "x".repeat(32)],
    [`${" ".repeat(40)}${"𝒙".repeat(32)}`, "𝒙".repeat(32)],
    ["标题 🙂", "标题 🙂"],
  ])("update_title takes %j", async (title, kept) => {
    const person = await world.person();
    const id = await person.session();
    const data = await person.must(at("update_title"), { chat_session_id: id, title });
    expect(data["title"]).toBe(kept);
    const { chat_session: session } = await person.history(id);
    expect(session).toMatchObject({
      title: kept,
      title_type: "USER",
      updated_at: data["chat_session_updated_at"],
    });
  });

  it.each([
    ["", 2, "EMPTY_TITLE"],
    ["\u200b\u2060", 2, "EMPTY_TITLE"],
    [" \n\t", 2, "EMPTY_TITLE"],
    ["x".repeat(33), 3, "TITLE_TOO_LONG"],
    ["𝒙".repeat(33), 3, "TITLE_TOO_LONG"],
  ])("update_title refuses %j", async (title, code, msg) => {
    const person = await world.person();
    const said = await person.post(at("update_title"), { chat_session_id: await person.session(), title });
    expect([said.biz, said.msg]).toEqual([code, msg]);
  });

  it("a title given by hand outlives the next reply", async () => {
    const person = await world.person();
    const id = await person.session();
    await person.must(at("update_title"), { chat_session_id: id, title: "By hand" });
    const stream = await person.turn({ chat_session_id: id, prompt: "Hello" });
    expect(stream.events.map(({ type }) => type)).not.toContain("title");
    expect((await person.history(id)).chat_session).toMatchObject({ title: "By hand", title_type: "USER" });
  });

  it("an empty session is not listed, and one with a message is", async () => {
    const person = await world.newPerson();
    await person.session();
    expect(await person.page()).toEqual({ chat_sessions: [], has_more: false, pinned_sessions: [] });
    const id = await person.talk();
    expect((await person.page()).chat_sessions.map((session) => session.id)).toEqual([id]);
  });

  /** Someone with seven listed sessions, oldest first. */
  let listed: Promise<{ person: Person; ids: string[] }> | null = null;
  const seven = () => {
    listed ??= (async () => {
      const person = await world.newPerson();
      const ids: string[] = [];
      for (let index = 0; index < 7; index += 1) ids.push(await person.talk(`Number ${index}`));
      return { person, ids };
    })();
    return listed;
  };

  it.each([1, 2, 3, 4, 6, 7, 8, 100])(
    "pages of %i bring every session once, latest update first",
    async (count) => {
      const { person, ids } = await seven();
      const seen: string[] = [];
      for (let cursor: number | null = null; ;) {
        const query: string = `?count=${count}${cursor === null ? "" : `&before_seq_id=${cursor}`}`;
        const page = await person.page(query);
        expect(page.chat_sessions.length).toBeLessThanOrEqual(count);
        expect("pinned_sessions" in page).toBe(cursor === null);
        seen.push(...page.chat_sessions.map(({ id }) => id));
        expect(page.has_more).toBe(seen.length < ids.length);
        if (!page.has_more) break;
        cursor = page.chat_sessions.at(-1)?.seq_id ?? 0;
      }
      expect(seen).toEqual(ids.toReversed());
    },
  );

  it("the other cursor is a time and takes in its own row", async () => {
    const { person, ids } = await seven();
    const { chat_sessions: all } = await person.page();
    const page = await person.page(
      `?lte_cursor.updated_at=${all[2]?.updated_at}&lte_cursor.pinned=false&lte_cursor.id=x`,
    );
    expect(page.chat_sessions.map(({ id }) => id)).toEqual(ids.toReversed().slice(2));
  });

  it.each(["0", "101", "-1"])("a page of %s is ILLEGAL_COUNT", async (count) => {
    const said = await (await world.person()).get(`${at("fetch_page")}?count=${count}`);
    expect([said.biz, said.msg, said.envelope.data?.biz_data]).toEqual([1, "ILLEGAL_COUNT", null]);
  });

  it("a session that was updated meanwhile goes to the front and is not repeated behind the cursor", async () => {
    const person = await world.newPerson();
    const ids = [
      await person.talk("a"),
      await person.talk("b"),
      await person.talk("c"),
      await person.talk("d"),
    ];
    const first = await person.page("?count=2");
    await person.must(at("update_title"), { chat_session_id: ids[0] as string, title: "Moved" });
    const second = await person.page(`?count=2&before_seq_id=${first.chat_sessions.at(-1)?.seq_id}`);
    expect(second.chat_sessions.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await person.page("?count=1")).chat_sessions[0]?.id).toBe(ids[0]);
  });

  it("a search finds a prompt by the beginning of its last word, and refuses what has none", async () => {
    const person = await world.newPerson();
    const id = await person.talk("Etymology of the café 咖啡馆");
    const search = (q: string, who = person) => who.get(`${at("search")}?q=${encodeURIComponent(q)}`);
    const found = async (q: string, who = person): Promise<SearchPage> => {
      const { data } = (await search(q, who)).envelope;
      return (data as unknown as { biz_data: SearchPage }).biz_data;
    };
    for (const q of ["CAFE", "etymology of", "the caf", "啡", "咖啡馆"]) {
      const { hits, next_cursor: cursor } = await found(q);
      expect(cursor, q).toBeNull();
      expect(
        hits.filter(({ role }) => role === "USER").map((hit) => [hit.chat_session.id, hit.message_id]),
        q,
      ).toEqual([[id, 1]]);
    }
    for (const q of ["etym of", "ology", "馆咖"]) expect((await found(q)).hits, q).toEqual([]);
    for (const q of ["", " ", "?!"]) {
      const said = await search(q);
      expect([said.biz, said.msg]).toEqual([1, "EMPTY_QUERY"]);
    }
    expect((await found("cafe", await world.newPerson())).hits).toEqual([]);
  });

  it("every update raises seq_id to a new greatest one", async () => {
    const person = await world.newPerson();
    const seen: number[] = [];
    const note = async (id: string) => seen.push((await person.history(id)).chat_session.seq_id);
    const one = await person.talk();
    await note(one);
    const two = await person.talk();
    await note(two);
    await person.must(at("update_title"), { chat_session_id: one, title: "x" });
    await note(one);
    await person.turn({ chat_session_id: two, prompt: "more", parent_message_id: 2 });
    await note(two);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
  });

  it("pinning is no update, comes with the first page alone, and asking twice changes nothing", async () => {
    const person = await world.newPerson();
    const ids = [await person.talk("a"), await person.talk("b")];
    const before = await person.page();
    for (const pinned of [true, true]) {
      expect(
        (await person.post(at("update_pinned"), { chat_session_id: ids[0] as string, pinned })).biz,
      ).toBe(0);
    }
    const after = await person.page();
    expect(after.chat_sessions).toEqual(
      before.chat_sessions.map((one) => ({ ...one, pinned: one.id === ids[0] })),
    );
    expect(after.pinned_sessions?.map(({ id }) => id)).toEqual([ids[0]]);
    await person.must(at("update_pinned"), { chat_session_id: ids[0] as string, pinned: false });
    expect(await person.page()).toEqual(before);
  });

  it("twenty can be pinned", async () => {
    const person = await world.newPerson();
    const ids: string[] = [];
    for (let index = 0; index < 21; index += 1) ids.push(await person.session());
    const pin = async (id: string, pinned = true) =>
      (await person.post(at("update_pinned"), { chat_session_id: id, pinned })).biz;
    for (const id of ids.slice(0, 20)) expect(await pin(id)).toBe(0);
    expect(await pin(ids[20] as string)).toBe(2);
    await pin(ids[0] as string, false);
    expect(await pin(ids[20] as string)).toBe(0);
  });

  it("delete takes one or many, and what is gone is gone from the list", async () => {
    const person = await world.newPerson();
    const ids = [await person.talk("a"), await person.talk("b"), await person.talk("c")];
    await person.must(at("delete"), { chat_session_id: ids[0] as string });
    await person.must(at("delete"), { chat_session_ids: [ids[0], ids[1]] as string[] });
    expect((await person.page()).chat_sessions.map(({ id }) => id)).toEqual([ids[2]]);
    const none: Json = { chat_session_ids: [ids[0], "nonsense"] };
    expect((await person.post(at("delete"), none)).biz).toBe(1);
  });

  it("delete without any id is a schema error", async () => {
    const said = await (await world.person()).post(at("delete"), {});
    expect([said.status, said.envelope.detail]).toEqual([
      422,
      [{ loc: "body.chat_session_id", msg: "required" }],
    ]);
  });

  it("delete_all deletes all, and stops what runs", async () => {
    const person = await world.newPerson();
    await person.talk();
    const { id, stream } = await person.held();
    await person.must(at("delete_all"));
    await stream.ended();
    expect(await person.page()).toMatchObject({ chat_sessions: [], has_more: false });
    expect((await person.get(`/api/v0/chat/history_messages?chat_session_id=${id}`)).msg).toBe(
      "CHAT_SESSION_DELETED",
    );
  });

  it("deleting a session ends the reply that runs in it", async () => {
    const person = await world.newPerson();
    const { id, stream } = await person.held();
    await person.must(at("delete"), { chat_session_id: id });
    await stream.ended();
    const said = await person.post("/api/v0/chat/resume_stream", { chat_session_id: id, message_id: 2 });
    expect(said.msg).toBe("CHAT_SESSION_DELETED");
  });

  it("a history that the caller has is not sent again, and any change of it is", async () => {
    const person = await world.person();
    const id = await person.talk();
    const read = async (version: number) =>
      (await person.get(`/api/v0/chat/history_messages?chat_session_id=${id}&cache_version=${version}`))
        .data as unknown as Awaited<ReturnType<Person["history"]>>;
    const { chat_session: session } = await person.history(id);
    expect(await read(session.version)).toMatchObject({ cache_valid: true, chat_messages: [] });
    expect(await read(session.version - 1)).toMatchObject({ cache_valid: false });
    const body = { chat_session_id: id, message_id: 2, feedback_type: "GOOD" };
    await person.must("/api/v0/chat/message_feedback", body);
    const changed = await read(session.version);
    expect(changed).toMatchObject({ cache_valid: false, chat_session: { version: session.version + 1 } });
    expect(changed.chat_messages).toHaveLength(2);
  });
}
