// A reply that searches: its events, what is stored, how it fails, stops and is taken over (wire-contract.md §3.4, §4.6).
import type { SearchFragment } from "@plumb/protocol/conversation/fragment";
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { continueMessage, completion } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import { createScriptedSearch, type ScriptedSearch } from "../../../test/scripted-search.ts";
import { framesAfter, framesOf } from "../../../test/stream-frames.ts";
import { engines } from "../../../test/test-databases.ts";
import { createWordFilter } from "../../adapters/content-filter/word-filter.ts";
import { FetchRefused, type GuardedFetch } from "../../platform/http/guarded-fetch.ts";

const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());
const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(24)]);
const icon = `data:image/png;base64,${png.toString("base64")}`;

/** Pages of the outside: what each says, and a mark for every site. Counts what is fetched; can be held up. */
function outside() {
  const fetched: string[] = [];
  let answered = 0;
  const world = {
    fetched,
    hold: null as Promise<void> | null,
    /** How many pages have come. */
    answered: () => answered,
    pages: () => fetched.filter((url) => !url.endsWith(".ico")),
    say: (url: string) => `<p>${`All that ${new URL(url).hostname} says. `.repeat(20)}</p>`,
    fetch: (async (address, _limits, signal) => {
      fetched.push(address);
      if (world.hold !== null)
        await Promise.race([
          world.hold,
          new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason as Error)),
          ),
        ]);
      const url = new URL(address);
      const answer = { url, status: 200, cut: false };
      if (address.endsWith(".ico")) return { ...answer, contentType: "image/x-icon", body: png };
      if (address.includes("dead")) throw new FetchRefused("network");
      answered += 1;
      return { ...answer, contentType: "text/html; charset=utf-8", body: Buffer.from(world.say(address)) };
    }) as GuardedFetch,
  };
  return world;
}

const shape = (event: ReceivedEvent): string => {
  if (event.type !== "delta") return event.type;
  const { p, o, v } = event.data;
  const inner =
    o === "BATCH"
      ? ` ${(v as { p: string; v: unknown }[]).map((one) => `${one.p}=${String(one.v)}`).join(" ")}`
      : "";
  return `${o ?? "SET"} ${p ?? ""}${inner}`.trim();
};

let apps: TestApp[] = [];
let search: ScriptedSearch;
let world: ReturnType<typeof outside>;
const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
  if (options.beside === undefined) {
    search = createScriptedSearch();
    world = outside();
  }
  const app = await createTestApp({ search, fetchOutside: world.fetch, ...options });
  apps.push(app);
  return app;
};
afterEach(async () => {
  for (const app of apps.reverse()) await app.close();
  apps = [];
});

async function ask(app: TestApp, prompt = "Will it rain in 上海?", more: object = {}) {
  const person = await app.signedIn();
  const session = await person.ok(createSession, {});
  const body = { chat_session_id: session.id, prompt, search_enabled: true, ...more };
  const stream = await person.stream(completion, body);
  return { person, session, stream, message: { chat_session_id: session.id, message_id: 2 } };
}
const searchOf = (events: readonly ReceivedEvent[], index = 0) =>
  fold(events).message?.fragments.filter(({ type }) => type === "SEARCH")[index] as SearchFragment;
const promptOf = (app: TestApp) => app.model.replies.at(-1)?.messages.at(-1)?.content ?? "";

describe.each(engines)("a reply that searches on %s", (engine) => {
  it("is answered also where a page has characters that no database keeps", async () => {
    const app = await open({ engine });
    // Half of a pair stands where the text of a page is cut.
    world.say = () => `<p>Rain\0 in &#0;the\0 east. ${"x".repeat(39_970)}${"🌧".repeat(100)}</p>`;
    const { stream } = await ask(app);
    const events = await stream.ended;
    expect(fold(events).message).toMatchObject({ status: "FINISHED" });
    expect(promptOf(app)).toMatch(/Rain.* in .*the.* east/u);
    expect(promptOf(app).isWellFormed() && !promptOf(app).includes("\0")).toBe(true);
  });

  it("goes in the order of the contract, numbers its sources and keeps them [SRCH-001] [SRCH-005] [SRCH-006]", async () => {
    const app = await open({ engine });
    app.model.plan = 'Sure: ["rain 上海", "weather warning"]';
    search.answer = (query) =>
      query === "rain 上海"
        ? [
            {
              url: "https://www.one.com/a",
              title: "One",
              snippet: "S1",
              publishedAt: 1_790_000_000,
              siteName: "First",
            },
            { url: "https://two.com/b#x", title: "Two", snippet: "S2" },
          ]
        : [
            { url: "https://two.com/b", title: "Two again" },
            { url: "https://dead.com/c", title: "Dead" },
          ];
    app.model.answer = () => ["It rains [citation:1]."];
    const { person, session, stream } = await ask(app);
    const events = await stream.ended;
    const queryDone = (index: number) => [
      `SET response/fragments/-1/queries/${index}/results`,
      `BATCH response/fragments/-1 queries/${index}/status=FINISHED`,
      "SET response/fragments/-1/results",
    ];
    expect(events.map(shape)).toEqual([
      "ready",
      "update_session",
      "SET",
      "SET response/fragments/-1/queries",
      ...queryDone(0),
      ...queryDone(1),
      "SET response/fragments/-1/results",
      "BATCH response/fragments/-1 status=FINISHED content=null",
      "APPEND response/fragments",
      expect.stringMatching(/^BATCH response accumulated_token_usage=\d+ quasi_status=FINISHED$/),
      "SET response/status",
      "finish",
      "update_session",
      "title",
      "close",
    ]);
    const first = fold(events.slice(0, 3)).message;
    expect(first).toMatchObject({ search_enabled: true, has_pending_fragment: false, status: "WIP" });
    expect(first?.fragments).toEqual([
      {
        id: 2,
        type: "SEARCH",
        status: "WIP",
        content: null,
        queries: [],
        results: [],
        references: [],
        stage_id: 1,
      },
    ]);
    const found = searchOf(events);
    expect(
      found.results.map(({ cite_index, url, site_name, query_indexes }) => [
        cite_index,
        url,
        site_name,
        query_indexes,
      ]),
    ).toEqual([
      [1, "https://www.one.com/a", "First", [0]],
      [2, "https://two.com/b#x", "two.com", [0, 1]],
      [3, "https://dead.com/c", "dead.com", [1]],
    ]);
    expect(found.results[0]).toMatchObject({
      title: "One",
      snippet: "S1",
      published_at: 1_790_000_000,
      site_icon: icon,
    });
    expect(found.queries.map(({ query, results }) => [query, results.map((one) => one.cite_index)])).toEqual([
      ["rain 上海", [1, 2]],
      ["weather warning", [2, 3]],
    ]);
    const stored = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(stored.chat_messages[1]).toEqual(fold(events).message);
    // What pages say goes to the model, and to nobody else.
    expect(promptOf(app)).toContain(
      "[source 1]\nOne\nFirst, 2026-09-21, https://www.one.com/a\nS1\nAll that www.one.com says.",
    );
    expect(promptOf(app)).toContain("[citation:N]");
    expect(promptOf(app).endsWith("\n\nWill it rain in 上海?")).toBe(true);
    expect(stream.text()).not.toContain("All that");
  });

  it("plans from the whole branch and with the day, in a short call", async () => {
    const app = await open({ engine });
    app.model.plan = '["a"]';
    const { person, session, stream } = await ask(app, "Who leads Ruritania?");
    await stream.ended;
    app.model.plan = "1. nonsense";
    const next = {
      chat_session_id: session.id,
      parent_message_id: 2,
      prompt: "And since   when?",
      search_enabled: true,
    };
    const second = await person.stream(completion, next);
    const found = searchOf(await second.ended);
    const plan = app.model.requests.filter(({ purpose }) => purpose === "plan").at(-1);
    expect(plan?.messages[0]?.content).toContain(`Today is ${new Date().toISOString().slice(0, 10)}`);
    expect(plan?.messages[1]?.content).toContain("User: Who leads Ruritania?\nAssistant: ");
    expect(plan?.messages[1]?.content).toContain("Last message:\nAnd since   when?");
    expect(plan).toMatchObject({ thinking: false, maxTokens: 512 });
    // Nonsense costs one query: the prompt itself.
    expect(found.queries.map(({ query }) => query)).toEqual(["And since when?"]);
    expect(search.asked).toEqual(["a", "And since when?"]);
  });

  it("says that the search failed, and answers without it", async () => {
    const app = await open({ engine });
    app.model.plan = '["a", "b"]';
    search.answer = () => null;
    const { stream } = await ask(app);
    const events = await stream.ended;
    expect(events.map(shape).slice(2, 9)).toEqual([
      "SET",
      "SET response/fragments/-1/queries",
      "BATCH response/fragments/-1 queries/0/status=FAILED",
      "BATCH response/fragments/-1 queries/1/status=FAILED",
      "BATCH response/fragments/-1 status=FAILED content=null",
      "toast",
      "APPEND response/fragments",
    ]);
    expect(events.find(({ type }) => type === "toast")).toMatchObject({
      data: {
        type: "warning",
        finish_reason: "search_failed",
        clear_response: false,
        content: "Web search failed. Answering without it.",
      },
    });
    expect(fold(events).message?.status).toBe("FINISHED");
    expect(world.fetched).toEqual([]);
    expect(promptOf(app)).toContain("Answer without it.");
  });

  it("goes on with what one query found when another failed, and without anything when nothing was found", async () => {
    const app = await open({ engine });
    app.model.plan = '["a", "b"]';
    search.answer = (query) => (query === "a" ? null : [{ url: "https://b.com/" }]);
    const { person, session, stream } = await ask(app);
    const events = await stream.ended;
    expect(searchOf(events)).toMatchObject({
      status: "FINISHED",
      queries: [{ status: "FAILED" }, { status: "FINISHED" }],
    });
    expect(events.some(({ type }) => type === "toast")).toBe(false);
    search.answer = () => [];
    const body = { chat_session_id: session.id, parent_message_id: 2, prompt: "More?", search_enabled: true };
    const nothing = await (await person.stream(completion, body)).ended;
    expect(searchOf(nothing)).toMatchObject({ status: "FINISHED", results: [] });
    expect(promptOf(app)).toContain("found nothing");
  });

  it("may be asked for by the model once more, whose sources go on being counted", async () => {
    const app = await open({ engine });
    app.model.plan = '["first"]';
    const asked = app.model.next();
    const { stream } = await ask(app);
    const run = await asked;
    expect(run.request.tools?.map(({ name }) => name)).toEqual(["search_web"]);
    const again = app.model.next();
    run.push(
      {
        type: "tool_call",
        call: { id: "1", name: "search_web", arguments: '{"queries": ["first", "second"]}' },
      },
      { type: "tool_call", call: { id: "2", name: "search_web", arguments: '{"queries": ["third"]}' } },
      { type: "end", reason: "stop" },
    );
    const last = await again;
    expect(last.request.tools).toBeUndefined();
    const [call, result] = last.request.messages.slice(-2);
    expect(call).toMatchObject({ role: "assistant", toolCalls: [{ id: "search_again" }] });
    expect(result).toMatchObject({ role: "tool", toolCallId: "search_again" });
    expect(result?.content).toContain("[source 2]");
    last.say("Now [citation:2].");
    last.end();
    const events = await stream.ended;
    expect(search.asked).toEqual(["first", "second"]);
    expect(searchOf(events, 1).results.map(({ cite_index }) => cite_index)).toEqual([2]);
    expect(fold(events).message?.fragments.map(({ type }) => type)).toEqual(["SEARCH", "SEARCH", "RESPONSE"]);
  });

  it("is told to the next one without its citations, which would be taken for others", async () => {
    const app = await open({ engine });
    app.model.answer = () => [
      "Rain [citation:1][citation:2], then sun[citation:1]",
      " [citation: 1, 2]【citation:1】.",
    ];
    const { person, session, stream } = await ask(app);
    await stream.ended;
    const body = {
      chat_session_id: session.id,
      parent_message_id: 2,
      prompt: "What does [citation:1] mean?",
    };
    await (
      await person.stream(completion, body)
    ).ended;
    const { chat_messages: messages } = await person.ok(historyMessages, { chat_session_id: session.id });
    expect(messages[1]?.fragments.at(-1)).toMatchObject({ content: expect.stringContaining("[citation:2]") });
    expect(app.model.replies.at(-1)?.messages.slice(-2)).toEqual([
      { role: "assistant", content: "Rain, then sun." },
      { role: "user", content: "What does [citation:1] mean?" },
    ]);
  });

  it("is no answer without a word", async () => {
    const app = await open({ engine });
    app.model.answer = () => [];
    const { stream } = await ask(app);
    expect(fold(await stream.ended)).toMatchObject({
      message: { status: "INCOMPLETE" },
      hint: { finish_reason: "generation_err" },
    });
  });

  it("is not served with thinking, nor where nobody can be asked", async () => {
    const app = await open({ engine });
    const { stream } = await ask(app, "Think", { thinking_enabled: true });
    expect(fold(await stream.ended).message).toMatchObject({ thinking_enabled: true, search_enabled: false });
    const without = await createTestApp({ engine });
    apps.push(without);
    const other = await ask(without);
    const message = fold(await other.stream.ended).message;
    expect(message).toMatchObject({ search_enabled: false, fragments: [{ type: "RESPONSE" }] });
    expect(search.asked).toEqual([]);
  });

  it("is resumed from every position with the same bytes", async () => {
    const app = await open({ engine, settings: { LOG_FLUSH_MS: "1" } });
    app.model.plan = '["a", "b"]';
    const asked = app.model.next();
    const { person, stream, message } = await ask(app);
    const run = await asked;
    run.say("It rains");
    await stream.waitFor(
      (event) => event.type === "delta" && JSON.stringify(event.data.v).includes("It rains"),
    );
    const last = stream.events.at(-1)?.id ?? 0;
    const frames = framesOf(stream.text());
    expect(last).toBeGreaterThan(10);
    for (let position = 1; position < last; position += 1) {
      const again = await person.stream(resumeStream, message, { "last-event-id": String(position) });
      await again.waitFor((event) => event.id === last);
      const rest = again
        .text()
        .split(/(?<=\n\n)/)
        .slice(1)
        .join("");
      expect(rest, `after ${position}`).toBe(framesAfter(position, frames, last));
      await again.close();
    }
    const whole = await person.stream(resumeStream, message);
    await whole.waitForType("delta");
    expect(fold(whole.events).message).toEqual(fold(stream.events).message);
    run.end();
    await whole.ended;
  });

  const steps = ["plan", "search", "read", "parse", "answer"] as const;
  /** Brings a reply to a step and holds it there. */
  async function holdAt(app: TestApp, step: (typeof steps)[number]) {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    app.model.plan = '["a", "b"]';
    if (step === "search") search.hold = held;
    if (step === "read") world.hold = held;
    // Takes the thread that reads pages longer than any page may.
    if (step === "parse") world.say = () => "<i>a".repeat(250_000);
    const planning = step === "plan" ? app.model.nextPlan() : null;
    const answering = app.model.next();
    const begun = await ask(app);
    if (planning !== null) await planning;
    if (step === "search") await begun.stream.waitFor((event) => shape(event).endsWith("/queries"));
    if (step === "read") await begun.stream.waitFor((event) => shape(event).endsWith("-1/results"));
    if (step === "parse") await vi.waitFor(() => expect(world.answered()).toBeGreaterThan(0));
    const run = step === "answer" ? await answering : null;
    run?.say("one ");
    if (run !== null) await begun.stream.waitFor((event) => JSON.stringify(event).includes("one "));
    return { ...begun, run, release, answering };
  }

  it.each(steps)("is stopped within the limit while it does this: %s", async (step) => {
    const app = await open({ engine });
    const { person, stream, message } = await holdAt(app, step);
    const before = performance.now();
    await person.ok(stopStream, message);
    expect(performance.now() - before).toBeLessThan(2000);
    const events = await stream.ended;
    expect(events.at(-1)).toMatchObject({ type: "close", data: { click_behavior: "none" } });
    // A search that still runs stays so (wire-contract.md §4.6 "stopped").
    const found = searchOf(events);
    expect([fold(events).message?.status, found.status]).toEqual([
      "INCOMPLETE",
      step === "answer" ? "FINISHED" : "WIP",
    ]);
  });

  it.each(["read", "parse"] as const)("is continued with the step where it was stopped: %s", async (step) => {
    const app = await open({ engine });
    const say = world.say;
    const { person, message, stream, release, answering } = await holdAt(app, step);
    await person.ok(stopStream, message);
    await stream.ended;
    expect(await app.db.kysely.selectFrom("source_texts").selectAll().execute()).toEqual([]);
    world.say = say;
    release();
    const again = await person.stream(continueMessage, message);
    const run = await answering;
    run.say("There.");
    run.end();
    const found = searchOf(await again.ended);
    expect(found.status).toBe("FINISHED");
    expect(search.asked).toEqual(["a", "b"]);
    expect(promptOf(app)).toContain("All that ");
  });
});

describe("replicas on one PostgreSQL", () => {
  const quick = { LEASE_TIMEOUT_MS: "600", LEASE_RENEW_MS: "100" };
  const sleepy = { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" };

  it.each(["search", "read", "answer"] as const)(
    "take a reply over in the middle of its step %s, and do no step again that was done",
    async (step) => {
      const a = await open({ engine: "postgres", settings: sleepy });
      a.model.plan = '["a", "b"]';
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      // The first query is answered, the second never is.
      const { search: first } = a.app.deps.ports;
      const find = first?.search.bind(first);
      if (first !== null && find !== undefined && step === "search")
        first.search = async (query, count, signal) => {
          if (query === "b" && search.asked.length < 2) search.hold = held;
          return find(query, count, signal);
        };
      if (step === "read") world.hold = held;
      const answering = a.model.next();
      const { person, stream, message } = await ask(a);
      if (step === "search") await stream.waitFor((event) => shape(event).endsWith("-1/results"));
      if (step === "read") await stream.waitFor((event) => shape(event).includes("queries/1/status"));
      if (step === "answer") {
        (await answering).say("one ");
        await stream.waitFor((event) => JSON.stringify(event).includes("one "));
      }
      const before = { asked: [...search.asked], pages: world.pages().length };
      search.hold = null;
      world.hold = null;
      const b = await open({ engine: "postgres", beside: a, settings: quick, model: createScriptedModel() });
      const next = b.model.next();
      await a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();
      const second = await next;
      expect(b.model.requests.filter(({ purpose }) => purpose === "plan")).toEqual([]);
      const reader = await b.client(person).stream(resumeStream, message);
      second.say("two");
      second.end();
      const reply = fold(await reader.ended).message;
      release();
      expect(reply).toMatchObject({ status: "FINISHED" });
      const found = reply?.fragments[0] as SearchFragment;
      expect(found.queries.map(({ query, status }) => [query, status])).toEqual([
        ["a", "FINISHED"],
        ["b", "FINISHED"],
      ]);
      // Only the query that had no answer is asked again.
      expect(search.asked.slice(before.asked.length)).toEqual(step === "search" ? ["b"] : []);
      expect(second.request.messages.at(-1)?.content).toContain("All that a.com says.");
      if (step === "answer") {
        expect(second.request.prefix).toEqual({ reasoning: "", answer: "one " });
        expect(world.pages()).toHaveLength(before.pages);
      }
    },
  );
});

describe("a search of a reply", () => {
  it("asks nothing that must not be said", async () => {
    const app = await open({ contentFilter: createWordFilter(["forbidden"]) });
    app.model.plan = '["forbidden things"]';
    const { stream } = await ask(app, "Tell me");
    expect(searchOf(await stream.ended).queries.map(({ query }) => query)).toEqual(["Tell me"]);
    // A long prompt is not cut in the middle of a character.
    const { stream: long } = await ask(app, `a${"😀".repeat(300)}`);
    expect(searchOf(await long.ended).queries[0]?.query).toBe(`a${"😀".repeat(199)}`);
  });

  it("tells the model no more of long pages than there is room for", async () => {
    const app = await open();
    app.model.details = { ...app.model.details, contextTokens: 4000 };
    app.model.plan = '["a"]';
    search.answer = () =>
      Array.from({ length: 8 }, (_, index) => ({
        url: `https://site${index}.com/`,
        snippet: "word ".repeat(100),
      }));
    world.say = () => `<article><p>${"many words in a row, ".repeat(5000)}</p></article>`;
    const { stream } = await ask(app);
    await stream.ended;
    const { countTokens } = await import("../../platform/count-tokens.ts");
    const tokens = await countTokens(promptOf(app));
    expect(tokens).toBeLessThan(3300);
    expect(tokens).toBeGreaterThan(2000);
    expect(promptOf(app)).toContain("[end of source 1]");
  });
});
