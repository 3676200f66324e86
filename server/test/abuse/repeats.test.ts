// Repeats of a known call cost what a look-up costs: nothing that grows with their prompt, and no log read again and again.
import { reduceReply } from "@plumb/protocol/stream/reply-reducer";
import { emptyReply } from "@plumb/protocol/stream/reply-state";
import { completion } from "@plumb/protocol/wire/turns";
import { createSession } from "@plumb/protocol/wire/sessions";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as tokens from "../../src/platform/count-tokens.ts";
import * as log from "../../src/features/sessions/stream-log-store.ts";
import { createTestApp, type TestApp } from "../create-test-app.ts";
import { createScriptedModel } from "../scripted-model.ts";
import { engines } from "../test-databases.ts";

vi.mock("../../src/platform/count-tokens.ts", { spy: true });
vi.mock("../../src/features/sessions/stream-log-store.ts", { spy: true });

const REPEATS = process.env["TEST_LONG"] === "1" ? 2000 : 20;

let app: TestApp;
afterEach(() => app.close());

const begun = async (person: Awaited<ReturnType<TestApp["signedIn"]>>, prompt: string) => {
  const { id } = await person.ok(createSession, {});
  return { chat_session_id: id, prompt, client_stream_id: "20260101-0123456789abcdef" };
};

describe.each(engines)("repeats on %s", (engine) => {
  it("are known before their prompts are counted", async () => {
    app = await createTestApp({ engine });
    const person = await app.signedIn();
    const input = await begun(person, "many words ".repeat(20_000));
    const next = app.model.next();
    const first = await person.stream(completion, input);
    const run = await next;
    run.say("Words");
    await first.waitForType("delta");
    const count = vi.mocked(tokens.countTokens);
    expect(count).toHaveBeenCalled();
    count.mockClear();
    for (let index = 0; index < REPEATS; index += 1) {
      const repeated = await person.stream(completion, input);
      await repeated.waitForType("delta");
      await repeated.close();
    }
    const other = await person.call(completion, { ...input, prompt: "x".repeat(800_000) });
    expect(other.envelope.data).toMatchObject({ biz_code: 18 });
    expect(count).not.toHaveBeenCalled();
    run.end();
    await first.ended;
  }, 300_000);

  it("of a reply in its tail wait for its end and read the log once", async () => {
    const model = createScriptedModel();
    const generate = model.generate.bind(model);
    let nameIt = (): void => {};
    const named = new Promise<void>((resolve) => {
      nameIt = resolve;
    });
    model.generate = async function* (request, signal) {
      if (request.purpose === "title") await named;
      yield* generate(request, signal);
    };
    app = await createTestApp({ engine, model });
    const person = await app.signedIn();
    const input = await begun(person, "Hello");
    const first = await person.stream(completion, input);
    await first.waitForType("finish");
    const read = vi.mocked(log.readLogBackwards);
    read.mockClear();
    const repeated = person.stream(completion, input);
    // Longer than any look that is taken from time to time.
    setTimeout(nameIt, 350);
    const events = await (await repeated).ended;
    expect(events.at(-1)).toMatchObject({ type: "close" });
    expect(events.map((event) => event.type)).toContain("title");
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("of an ended reply read its end from the log, and none of its words", async () => {
    app = await createTestApp({ engine });
    const person = await app.signedIn();
    const input = await begun(person, "Hello");
    const first = await (await person.stream(completion, input)).ended;
    const { readLogBackwards } = await vi.importActual<typeof log>(
      "../../src/features/sessions/stream-log-store.ts",
    );
    const groups: log.LoggedGroup[] = [];
    vi.mocked(log.readLogBackwards).mockImplementationOnce(async function* (...call) {
      for await (const group of readLogBackwards(...call)) {
        groups.push(group);
        yield group;
      }
    });
    const repeated = await (await person.stream(completion, input)).ended;
    const said = first.reduce(reduceReply, emptyReply()).message;
    expect(repeated.reduce(reduceReply, emptyReply()).message).toEqual(said);
    expect(groups.length).toBeGreaterThan(0);
    expect(JSON.stringify(groups)).not.toContain("You said");
  });
});
