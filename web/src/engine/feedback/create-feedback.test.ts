import { describe, expect, it } from "vitest";
// Loaded here, so that it is there in a moment when it is asked for.
import "../sessions/create-changes.ts";
import { globalError, ok, refused } from "../testing/fake-answers.ts";
import { createFakeServer, type FakeServer } from "../testing/fake-server.ts";
import { openPage, type Page } from "../testing/open-page.ts";
import { shortTalk } from "../testing/wire-message.ts";
import { feedbackKind, FEEDBACK_REASONS } from "./feedback-face.ts";

const FEEDBACK = "/api/v0/chat/message_feedback";

async function open(
  prepare: (server: FakeServer) => void = () => {},
): Promise<{ server: FakeServer; page: Page }> {
  const server = createFakeServer();
  server.addSession("s1", shortTalk);
  server.answer(FEEDBACK, () => ok(null));
  prepare(server);
  const page = await openPage(server);
  page.engine.sessions.open("s1");
  // As the first touch of the page does: the code for ratings is here.
  page.engine.turns.prepare();
  await page.browser.settle();
  return { server, page };
}
const kindOf = (page: Page) => feedbackKind(page.shown("s1")[1]!);
const toasts = (page: Page) => page.engine.site.toasts.getState().toasts.map(({ text }) => text);
const bodies = (server: FakeServer) => server.calls(FEEDBACK).map(({ body }) => body);

describe("feedback", () => {
  it("is like, dislike or none here, and GOOD, BAD or empty on the wire [FDBK-001] [FDBK-002] [FDBK-003] [FDBK-004]", async () => {
    const { server, page } = await open();
    const { give } = page.engine.feedback;
    expect(kindOf(page)).toBe("none");
    expect(await give("s1", 2, { kind: "like" })).toBe(true);
    expect(kindOf(page)).toBe("like");
    expect(await give("s1", 2, { kind: "dislike", tag: "fake", description: "No." })).toBe(true);
    expect(kindOf(page)).toBe("dislike");
    expect(await give("s1", 2, { kind: "none" })).toBe(true);
    expect(kindOf(page)).toBe("none");
    const at = { chat_session_id: "s1", message_id: 2 };
    expect(bodies(server)).toEqual([
      { ...at, feedback_type: "GOOD" },
      { ...at, feedback_type: "BAD", feedback_tag: "fake", description: "No." },
      { ...at, feedback_type: "" },
    ]);
    page.close();
  });

  it("shows before the server has answered", async () => {
    let answer = (_response: Response): void => {};
    const { page } = await open((server) =>
      server.answer(FEEDBACK, () => new Promise((resolve) => (answer = resolve))),
    );
    const giving = page.engine.feedback.give("s1", 2, { kind: "like" });
    expect(kindOf(page)).toBe("like");
    await page.browser.settle();
    answer(ok(null));
    expect(await giving).toBe(true);
    page.close();
  });

  const failures: [name: string, answer: () => Response, text: object][] = [
    ["a refusal", () => refused(2, "MESSAGE_NOT_FOUND"), { key: "feedbackFailed" }],
    ["an unknown number", () => refused(77, "NEW"), { key: "feedbackFailedCode", params: { code: 77 } }],
    ["a fault", () => globalError(50000, "INTERNAL_ERROR", 500), { key: "feedbackFailed" }],
    [
      "no network",
      () => {
        throw new TypeError("fetch failed");
      },
      { key: "feedbackFailed" },
    ],
  ];
  it.each(failures)(
    "that fails by %s is told and rolled back to none [FDBK-008]",
    async (_name, answer, text) => {
      const { server, page } = await open();
      await page.engine.feedback.give("s1", 2, { kind: "like" });
      server.answer(FEEDBACK, answer);
      expect(await page.engine.feedback.give("s1", 2, { kind: "dislike" })).toBe(false);
      expect(kindOf(page)).toBe("none");
      expect(toasts(page)).toEqual([text]);
      page.close();
    },
  );

  it.each(failures)("stays where only its reasons failed by %s", async (_name, answer, text) => {
    const { server, page } = await open();
    const { give } = page.engine.feedback;
    expect(await give("s1", 2, { kind: "dislike" })).toBe(true);
    server.answer(FEEDBACK, answer);
    expect(await give("s1", 2, { kind: "dislike", tag: "fake", description: "No." })).toBe(false);
    expect(kindOf(page)).toBe("dislike");
    // Without the reasons, which the server does not have.
    const stored = { feedback_type: "BAD", feedback_tag: null, description: null };
    expect(page.shown("s1")[1]!.feedback).toEqual(stored);
    expect(toasts(page)).toEqual([text]);
    page.close();
  });

  it("stays where its reasons were sent before it was stored, and failed", async () => {
    const answers: ((response: Response) => void)[] = [];
    const { page } = await open((fake) =>
      fake.answer(FEEDBACK, () => new Promise((resolve) => answers.push(resolve))),
    );
    const rating = page.engine.feedback.give("s1", 2, { kind: "dislike" });
    const reasons = page.engine.feedback.give("s1", 2, { kind: "dislike", tag: "fake" });
    await page.browser.settle();
    answers[0]?.(ok(null));
    expect(await rating).toBe(true);
    await page.browser.settle();
    answers[1]?.(globalError(50000, "INTERNAL_ERROR", 500));
    expect(await reasons).toBe(false);
    expect(kindOf(page)).toBe("dislike");
    page.close();
  });

  it("on a session that is gone takes the session off the page [SESS-036]", async () => {
    const { page } = await open((server) =>
      server.answer(FEEDBACK, () => refused(1, "CHAT_SESSION_DELETED")),
    );
    expect(await page.engine.feedback.give("s1", 2, { kind: "like" })).toBe(false);
    expect(page.engine.sessions.store.getState().byId["s1"]).toBeUndefined();
    expect(page.engine.site.navigation.getState()).toMatchObject({ to: "/" });
    expect(toasts(page)).toEqual([{ key: "chatDeleted" }]);
    page.close();
  });

  it("reaches the server in the order it was given, and the last one stays", async () => {
    const answers: ((response: Response) => void)[] = [];
    const { server, page } = await open((fake) =>
      fake.answer(FEEDBACK, () => new Promise((resolve) => answers.push(resolve))),
    );
    const first = page.engine.feedback.give("s1", 2, { kind: "like" });
    const second = page.engine.feedback.give("s1", 2, { kind: "dislike" });
    await page.browser.settle();
    expect(server.calls(FEEDBACK)).toHaveLength(1);
    answers[0]?.(globalError(50000, "INTERNAL_ERROR", 500));
    expect(await first).toBe(false);
    // What failed has been overtaken.
    expect(kindOf(page)).toBe("dislike");
    await page.browser.settle();
    answers[1]?.(ok(null));
    expect(await second).toBe(true);
    expect(bodies(server).map(({ feedback_type }) => feedback_type)).toEqual(["GOOD", "BAD"]);
    expect(kindOf(page)).toBe("dislike");
    page.close();
  });

  it("that fails after its account left says nothing", async () => {
    let answer = (_response: Response): void => {};
    const { page } = await open((server) =>
      server.answer(FEEDBACK, () => new Promise((resolve) => (answer = resolve))),
    );
    const giving = page.engine.feedback.give("s1", 2, { kind: "like" });
    await page.browser.settle();
    await page.engine.accounts.signOut();
    const before = toasts(page);
    answer(refused(1, "ILLEGAL_CHAT_SESSION_ID"));
    expect(await giving).toBe(false);
    expect(toasts(page)).toEqual(before);
    page.close();
  });

  it("needs neither a reason nor words; the reasons are those of the dialog [FDBK-006] [FDBK-007]", async () => {
    const { server, page } = await open();
    expect(await page.engine.feedback.give("s1", 2, { kind: "dislike" })).toBe(true);
    expect(bodies(server)).toEqual([{ chat_session_id: "s1", message_id: 2, feedback_type: "BAD" }]);
    expect(FEEDBACK_REASONS).toEqual([
      "harmful_unsafe",
      "illegal",
      "porn_violence",
      "misinformation",
      "fake",
      "infringed",
      "unhelpful",
      "other",
    ]);
    page.close();
  });
});
