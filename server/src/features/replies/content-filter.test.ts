// What the filter lets through, and how a reply ends that it does not (wire-contract.md §4.5 E(filter), §4.6).
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { createSession, historyMessages } from "@plumb/protocol/wire/sessions";
import { completion, continueMessage, regenerate } from "@plumb/protocol/wire/turns";
import { afterEach, describe, expect, it } from "vitest";
import { createTestApp, type TestApp, type TestAppOptions } from "../../../test/create-test-app.ts";
import { createScriptedModel } from "../../../test/scripted-model.ts";
import { createQuickClock } from "../../../test/test-clock.ts";
import { type Engine, engines } from "../../../test/test-databases.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { createWordFilter } from "../../adapters/content-filter/word-filter.ts";
import { createWordClassifier } from "../../adapters/risk-classifier/word-classifier.ts";
import type { ContentFilter, Verdict } from "../../ports/content-filter.ts";

const fold = (events: readonly ReceivedEvent[]) => events.reduce(reduceReply, emptyReply());
/** The frames by the marks of the contract. */
const marks = (events: readonly ReceivedEvent[]) =>
  events.map((event) => {
    if (event.type !== "delta")
      return event.type === "toast" ? `toast ${event.data.finish_reason}` : event.type;
    const { p = "", o = "SET", v } = event.data;
    if (p === "" && o === "SET") {
      const { response } = v as { response: { fragments: { type: string }[] } };
      return `S[${response.fragments.map(({ type }) => type).join()}]`;
    }
    return o === "BATCH" ? `BATCH ${(v as { p: string }[]).map((one) => one.p).join()}` : `${o} ${p}`;
  });

const words = createWordFilter(["secret plan", "敏感词"]);
const apps: TestApp[] = [];
const open = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const app = await createTestApp({ contentFilter: words, ...options });
  apps.push(app);
  return app;
};
afterEach(async () => {
  for (const app of apps.splice(0).reverse()) await app.close();
});

async function ask(app: TestApp, person: TestClient, prompt = "Go", more: object = {}) {
  const session = await person.ok(createSession, {});
  const next = app.model.next();
  const stream = await person.stream(completion, { chat_session_id: session.id, prompt, ...more });
  return { session, stream, next };
}
const stored = async (person: TestClient, id: string) =>
  (await person.ok(historyMessages, { chat_session_id: id })).chat_messages;

const withdrawn = "The message was withdrawn for content security reasons.";

/** A filter whose verdicts the test gives: on each text pushed, or at the end. */
function heldFilter(): ContentFilter & { asked: string[]; give(verdict: Verdict): void } {
  const waiting: ((verdict: Verdict) => void)[] = [];
  const filter = {
    asked: [] as string[],
    give(verdict: Verdict) {
      for (const resolve of waiting.splice(0)) resolve(verdict);
    },
    open() {
      let text = "";
      return {
        push(piece: string) {
          text += piece;
        },
        pace: () => null,
        end: () => {
          if (text === "") return Promise.resolve<Verdict>("allowed");
          filter.asked.push(text);
          return new Promise<Verdict>((resolve) => waiting.push(resolve));
        },
        abort() {},
      };
    },
    close: async () => {},
  };
  return filter;
}

describe.each(engines)("a content filter on %s", (engine: Engine) => {
  it("withdraws a prompt without a toast and without asking the model, and bans its regenerate", async () => {
    const app = await open({ engine });
    const person = await app.signedIn();
    const { session, stream, next } = await ask(app, person, "Tell me the S\u200becret\nPLAN", {
      thinking_enabled: true,
    });
    const events = await stream.ended;
    expect(marks(events)).toEqual([
      "ready",
      "update_session",
      "S[]",
      "BATCH accumulated_token_usage,quasi_status,ban_regenerate,status,fragments,has_pending_fragment",
      "SET response/status",
      "update_session",
      "title",
      "close",
    ]);
    expect(events.at(-1)?.data).toEqual({ click_behavior: "none", auto_resume: false });
    const [, reply] = await stored(person, session.id);
    expect(reply).toEqual(fold(events).message);
    expect(reply).toMatchObject({
      status: "CONTENT_FILTER",
      ban_regenerate: true,
      fragments: [{ id: 2, type: "TEMPLATE_RESPONSE", content: withdrawn }],
    });
    expect(app.model.requests).toEqual([]);
    const again = { chat_session_id: session.id, child_message_id: 2 };
    expect((await person.call(regenerate, again)).envelope.data).toMatchObject({
      biz_code: 4,
      biz_msg: "REGENERATE_ON_TEMPLATE_RESPONSE",
    });
    // Nothing was thought: nothing is counted.
    const used = await app.db.kysely.selectFrom("thinking_usage").select("used").executeTakeFirst();
    expect(used?.used).toBe(0);
    // A later question does not bring the withdrawn one to the model.
    const later = await person.stream(completion, {
      chat_session_id: session.id,
      prompt: "Now answer what I asked before",
      parent_message_id: 2,
    });
    (await next).end();
    await later.ended;
    expect(JSON.stringify(app.model.requests)).not.toMatch(/Tell me|withdrawn/u);
  });

  it("withdraws a reply in mid-stream: the word is not shown, its text goes, and a toast says so", async () => {
    const app = await open({ engine });
    const person = await app.signedIn();
    const { session, stream, next } = await ask(app, person);
    const run = await next;
    run.say("Here is the se");
    await stream.waitForType("delta");
    run.say("cret pl");
    run.say("an of all");
    const events = await stream.ended;
    await run.abort;
    const seen = marks(events);
    expect(seen.slice(0, 3)).toEqual(["ready", "update_session", "S[RESPONSE]"]);
    expect(seen.slice(seen.findIndex((mark) => mark.startsWith("BATCH")))).toEqual([
      "BATCH accumulated_token_usage,quasi_status,ban_regenerate,status,fragments",
      "SET response/status",
      "toast content_filter",
      "update_session",
      "title",
      "close",
    ]);
    expect(events.find((event) => event.type === "toast")?.data).toMatchObject({
      type: "warning",
      content: withdrawn,
      clear_response: false,
    });
    expect(stream.text()).not.toContain("an of all");
    const [, reply] = await stored(person, session.id);
    expect(reply).toEqual(fold(events).message);
    expect(reply).toMatchObject({
      status: "CONTENT_FILTER",
      ban_regenerate: true,
      fragments: [{ id: 3, type: "TEMPLATE_RESPONSE" }],
    });
    const whole = await person.call(resumeStream, { chat_session_id: session.id, message_id: 2 });
    expect(whole.data).toMatchObject({ message: reply });
    expect(JSON.stringify(whole.data)).not.toContain("Here is");
  });

  it.runIf(engine === "postgres")("goes on with what a process that died has said", async () => {
    const sleepy = { LEASE_TIMEOUT_MS: "60000", LEASE_RENEW_MS: "30000" };
    const a = await open({ engine, settings: sleepy });
    const person = await a.signedIn();
    const { session, stream, next } = await ask(a, person);
    (await next).say("This is a se\u200bcret ");
    await stream.waitForType("delta");
    await a.db.kysely.updateTable("reply_lease").set({ owner: "a dead process", renewed_at: 0 }).execute();
    const model = createScriptedModel();
    const taken = model.next();
    await open({ beside: a, engine, settings: { LEASE_TIMEOUT_MS: "600", LEASE_RENEW_MS: "100" }, model });
    const run = await taken;
    expect(run.request.prefix?.answer).toBe("This is a se\u200bcret ");
    run.say("plan.");
    await run.abort;
    await expect
      .poll(async () => (await stored(person, session.id))[1])
      .toMatchObject({ status: "CONTENT_FILTER", fragments: [{ type: "TEMPLATE_RESPONSE" }] });
    await stream.close();
  });
});

it("reads thoughts as answers, each for itself", async () => {
  const app = await open();
  const person = await app.signedIn();
  const first = await ask(app, person, "Go", { thinking_enabled: true });
  const run = await first.next;
  run.think("a secret");
  run.say(" plan");
  run.end();
  expect(fold(await first.stream.ended).message?.status).toBe("FINISHED");
  const second = await ask(app, person, "Go", { thinking_enabled: true });
  (await second.next).think("敏感词");
  const events = await second.stream.ended;
  // Nothing was shown that could be withdrawn.
  expect(events.some((event) => event.type === "toast")).toBe(false);
  expect(fold(events).message).toMatchObject({ status: "CONTENT_FILTER", thinking_enabled: true });
});

it("looks at the model's title, too: the first words stand in for it", async () => {
  const app = await open();
  app.model.title = "The secret plan";
  const person = await app.signedIn();
  const { stream, next } = await ask(app, person, "What shall we do");
  const run = await next;
  run.say("Nothing.");
  run.end();
  expect(fold(await stream.ended).title).toBe("What shall we do");
});

it("finds a word at the very end, which no further character follows", async () => {
  const app = await open();
  const person = await app.signedIn();
  const { stream, next } = await ask(app, person);
  const run = await next;
  run.say("the secret plan");
  run.end();
  expect(fold(await stream.ended).message?.status).toBe("CONTENT_FILTER");
});

it("reads on over a continue", async () => {
  const app = await open();
  const person = await app.signedIn();
  const { session, stream, next } = await ask(app, person);
  (await next).say("the secret");
  await stream.waitForType("delta");
  await person.ok(stopStream, { chat_session_id: session.id });
  expect(fold(await stream.ended).message?.status).toBe("INCOMPLETE");
  const going = app.model.next();
  const more = await person.stream(continueMessage, { chat_session_id: session.id, message_id: 2 });
  (await going).say(" plan is");
  expect(fold(await more.ended).message).toMatchObject({ status: "CONTENT_FILTER" });
});

describe("a filter that gives no verdict", () => {
  const verdicts = async (whenUnknown: "allow" | "block") => {
    const filter = heldFilter();
    const app = await open({
      contentFilter: filter,
      settings: { MODERATION_FAILURE: whenUnknown },
      clock: createQuickClock(20),
    });
    return { app, filter, person: await app.signedIn() };
  };

  it.each(["allow", "block"] as const)("on a prompt: %s", async (whenUnknown) => {
    const { app, filter, person } = await verdicts(whenUnknown);
    const { stream } = await ask(app, person, "Hello?");
    await expect.poll(() => filter.asked).toEqual(["Hello?"]);
    expect(app.model.requests).toEqual([]);
    filter.give("unknown");
    if (whenUnknown === "allow") {
      await stream.waitForType("ready");
      await expect.poll(() => app.model.replies).toHaveLength(1);
      return;
    }
    const events = await stream.ended;
    expect(events.find((event) => event.type === "hint")?.data).toMatchObject({
      finish_reason: "server_busy",
    });
    expect(events.at(-1)?.data).toMatchObject({ click_behavior: "retry" });
    // It was not withdrawn: it may be sent again.
    expect(fold(events).message).toMatchObject({ status: "INCOMPLETE", ban_regenerate: false });
    expect(app.model.requests).toEqual([]);
  });

  it("a prompt that is being looked at can be stopped", async () => {
    const { app, filter, person } = await verdicts("block");
    const { session, stream } = await ask(app, person, "Hello?");
    await expect.poll(() => filter.asked).toHaveLength(1);
    await person.ok(stopStream, { chat_session_id: session.id });
    expect(fold(await stream.ended).message).toMatchObject({ status: "INCOMPLETE", fragments: [] });
  });

  it.each([
    ["allow", "FINISHED"],
    ["block", "CONTENT_FILTER"],
  ] as const)("on a whole reply, ever: %s", async (whenUnknown, status) => {
    const { app, filter, person } = await verdicts(whenUnknown);
    const { stream, next } = await ask(app, person, "Hello?");
    await expect.poll(() => filter.asked).toHaveLength(1);
    filter.give("allowed");
    const run = await next;
    run.say("Well.");
    run.end();
    expect(fold(await stream.ended).message?.status).toBe(status);
    // And the title.
    expect(new Set(filter.asked)).toEqual(new Set(["Hello?", "Well.", "A title"]));
  });

  it("a stop does not wait for it", async () => {
    const { app, filter, person } = await verdicts("allow");
    const { session, stream, next } = await ask(app, person, "Hello?");
    await expect.poll(() => filter.asked).toHaveLength(1);
    filter.give("allowed");
    (await next).say("Well.");
    await stream.waitForType("delta");
    await person.ok(stopStream, { chat_session_id: session.id });
    expect(fold(await stream.ended).message).toMatchObject({
      status: "INCOMPLETE",
      fragments: [{ content: "Well." }],
    });
  });
});

describe("a planned shutdown while the last verdict on a whole reply is awaited", () => {
  /** Hands over a reply that has said all; returns what ends the shutdown, which has begun. */
  const handOverWhole = async (speed: number, whenUnknown: "allow" | "block") => {
    const filter = heldFilter();
    const app = await open({
      contentFilter: filter,
      settings: { MODERATION_FAILURE: whenUnknown },
      clock: createQuickClock(speed),
    });
    const person = await app.signedIn();
    const other = await person.ok(createSession, {});
    const { session, next } = await ask(app, person, "Hello?");
    await expect.poll(() => filter.asked).toHaveLength(1);
    filter.give("allowed");
    const run = await next;
    run.say("Well.");
    run.end();
    await expect.poll(() => filter.asked).toContain("Well.");
    const drained = app.app.drain(0);
    // From here on the replies are being handed over.
    const refused = () => person.call(completion, { chat_session_id: other.id, prompt: "And?" });
    await expect.poll(async () => (await refused()).status).toBe(503);
    const ended = async () => {
      await drained;
      const { kysely } = app.db;
      const reply = kysely.selectFrom("messages").select("status").where("session_id", "=", session.id);
      return {
        reply: await reply.where("message_id", "=", 2).executeTakeFirstOrThrow(),
        leases: await kysely.selectFrom("reply_lease").select("owner").execute(),
      };
    };
    return { filter, ended };
  };

  it.each([
    ["allowed", "FINISHED"],
    ["refused", "CONTENT_FILTER"],
  ] as const)("%s: the reply has its end, and nobody asks the model again", async (verdict, status) => {
    // The time a shutdown gives it passes ten times as slowly.
    const { filter, ended } = await handOverWhole(0.1, "block");
    filter.give(verdict);
    expect(await ended()).toEqual({ reply: { status }, leases: [] });
  });

  it.each(["allow", "block"] as const)(
    "that does not come (%s): another server goes on",
    async (whenUnknown) => {
      const { ended } = await handOverWhole(20, whenUnknown);
      expect(await ended()).toEqual({ reply: { status: "WIP" }, leases: [{ owner: "" }] });
    },
  );
});

describe("a risk tip", () => {
  const answered = async (answer: string, headers: Record<string, string> = {}) => {
    const app = await open({ riskClassifier: createWordClassifier() });
    app.model.answer = () => [answer.slice(0, 9), answer.slice(9)];
    const person = await app.signedIn();
    const session = await person.ok(createSession, {});
    const stream = await person.stream(completion, { chat_session_id: session.id, prompt: "Go" }, headers);
    return { app, person, session, events: await stream.ended };
  };

  it("stands under a finished answer, before its end, and in the history [ENG-022]", async () => {
    const { person, session, events } = await answered("Your symptoms: see a doctor, mind the dosage.");
    const seen = marks(events);
    const tip = seen.lastIndexOf("APPEND response/fragments");
    expect(seen[tip + 1]).toMatch(/^BATCH/u);
    const message = fold(events).message;
    expect(message).toMatchObject({
      status: "FINISHED",
      fragments: [
        { id: 2, type: "RESPONSE" },
        { id: 3, type: "TIP", category: "MEDICAL", style: "WARNING", hide_on_wip: true },
      ],
    });
    expect((await stored(person, session.id))[1]).toEqual(message);
  });

  it("speaks the language of the request [ENG-022]", async () => {
    const { events } = await answered("股票、基金和债券都有风险。", { "x-client-locale": "zh_CN" });
    expect(fold(events).message?.fragments[1]).toMatchObject({
      category: "FINANCE",
      content: "本内容由 AI 生成，仅供参考，不构成投资建议。",
    });
  });

  it("is left out where an answer only mentions such things", async () => {
    const { events } = await answered("The doctor is in.");
    expect(fold(events).message?.fragments).toHaveLength(1);
  });
});
