import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import type { Engine } from "../../engine/engine.ts";
import type { ClientMessage } from "../../engine/sessions/client-message.ts";
import { emptySession, type ClientSession } from "../../engine/sessions/client-session.ts";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { wireMessage } from "../../engine/testing/wire-message.ts";
import { EngineProvider, useEngine } from "../../hooks/use-engine.tsx";
import en from "../../i18n/en_US.json";
import { setLocale } from "../../i18n/i18n.ts";
import { AssistantMessage } from "./assistant-message.tsx";

let engine: Engine;
beforeAll(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
});

function draw(status: MessageStatus, fragments: Fragment[], hint: ClientMessage["hint"] = null): string {
  const wire = wireMessage({ message_id: 2, parent_id: 1, role: "ASSISTANT", status, fragments });
  return renderToStaticMarkup(
    <EngineProvider engine={engine}>
      <AssistantMessage
        sessionKey="s1"
        message={{
          ...wire,
          key: "m",
          generateState: null,
          resendInfo: null,
          askedAt: 0,
          isStopped: false,
          isEditing: false,
          isContinuing: false,
          requestMessageId: 1,
          responseMessageId: 2,
          hint,
        }}
        isLast
      />
    </EngineProvider>,
  );
}
const answer: Fragment = { id: 2, type: "RESPONSE", content: "Four." };
const copy = `aria-label="${en["common.copy"]}"`;
const dot = 'aria-hidden="true"></span>';

test("a reply shows a dot until there is something to read, or a thought that moves [ENG-075]", () => {
  const think: Fragment = { id: 2, type: "THINK", content: "Hm.", elapsed_secs: null };
  const empty: Fragment = { id: 3, type: "RESPONSE", content: "" };
  expect(draw("WIP", [])).toContain(dot);
  expect(draw("WIP", [think])).toContain(en["think.running"]);
  expect(draw("WIP", [think])).not.toContain(dot);
  expect(draw("WIP", [{ ...think, elapsed_secs: 2 }, empty])).toContain(dot);
  expect(draw("WIP", [answer])).not.toContain(dot);
  for (const fragments of [[], [answer], [think]]) expect(draw("INCOMPLETE", fragments)).not.toContain(dot);
});

test("a reply that was stopped in the middle stays as it looked: nothing open turns into its signs, and no word waits for more", () => {
  const words = (status: MessageStatus, content: string) =>
    draw(status, [{ ...answer, content }]).replace(
      /^<article[^>]*>|(?:<div class="_atWork|<p class="_note|<div class="_note|<div role="group").*/g,
      "",
    );
  for (const cut of [
    "a **b",
    "a ~~b *C d",
    "a `b",
    "see [the docs](https://x.exam",
    "so $x^2 + y",
    "so \\(x",
    "$$\nx + y",
    "- a\n- **b",
    "> **bold w",
    "| a | b |\n|-|-|\n| **x",
    "a **",
  ])
    expect(words("INCOMPLETE", cut)).toBe(words("WIP", cut));
  expect(words("INCOMPLETE", "a **b")).toContain("<strong>b</strong>");
  expect(words("FINISHED", "a **b")).toContain("a **b");
  for (const cut of ["a $PATH te", "| Name | Age |", "in all:\n12", "call *args", "a 2*3"])
    expect(words("INCOMPLETE", cut).replaceAll("<br/>", "\n"), cut).toContain(cut);
  // Its fence is closed, with all that its block can do.
  expect(draw("TIMEOUT", [{ ...answer, content: "```\nlet a" }])).toContain("let a");
});

test("what can be done with a reply shows only once it is not in progress [ENG-076]", () => {
  expect(draw("WIP", [answer])).not.toContain(copy);
  expect(draw("FINISHED", [answer])).toContain(copy);
  expect(draw("INCOMPLETE", [answer])).toContain(copy);
});

test("a hint shows its words, its kind, and a retry only where it says so [ENG-023]", () => {
  const hint = (type: "error" | "warning", clickBehavior: "retry" | "none") =>
    draw("INCOMPLETE", [answer], { text: { key: "serverBusy" }, type, clickBehavior });
  expect(hint("error", "retry")).toContain(en.serverBusy);
  expect(hint("error", "retry")).toContain(en["common.retry"]);
  expect(hint("error", "none")).not.toContain(en["common.retry"]);
  expect(hint("error", "none")).not.toBe(hint("warning", "none"));
});

test("a failed reply of which nothing came offers another try and nothing else; versions can still be turned", () => {
  const retry = { text: { key: "serverBusy" }, type: "error", clickBehavior: "retry" } as const;
  const none = { ...retry, clickBehavior: "none" } as const;
  const offered = (status: MessageStatus, fragments: Fragment[], hint: ClientMessage["hint"] = null) => {
    const drawn = draw(status, fragments, hint);
    const labels = ["conversation.regenerate", "feedback.like", "feedback.dislike"] as const;
    return {
      again: drawn.includes(en["common.retry"]),
      others: labels.filter((key) => drawn.includes(`aria-label="${en[key]}"`)).length,
    };
  };
  const think: Fragment = { id: 2, type: "THINK", content: "Hm.", elapsed_secs: 1 };
  for (const fragments of [[], [think]]) {
    expect(offered("INCOMPLETE", fragments)).toEqual({ again: true, others: 0 });
    expect(offered("TIMEOUT", fragments)).toEqual({ again: true, others: 0 });
    expect(offered("INCOMPLETE", fragments, retry)).toEqual({ again: true, others: 0 });
    expect(offered("INCOMPLETE", fragments, none)).toEqual({ again: false, others: 3 });
  }
  expect(offered("INCOMPLETE", [answer], retry)).toEqual({ again: true, others: 3 });
  expect(offered("TIMEOUT", [answer])).toEqual({ again: true, others: 3 });
});

test("a fault carries its trace id, to be copied", () => {
  const hint = { text: { key: "serverUnavailable" }, type: "error", clickBehavior: "none" } as const;
  expect(draw("INCOMPLETE", [answer], { ...hint, traceId: "0b9f" })).toContain("Trace ID 0b9f");
  expect(draw("INCOMPLETE", [answer], hint)).not.toContain(en["conversation.copyTraceId"]);
});

test("a limit says when another try helps, and takes none before", () => {
  const hint = { text: { key: "rateLimitReached" }, type: "error", clickBehavior: "retry" } as const;
  const soon = draw("INCOMPLETE", [answer], { ...hint, retryAt: Date.now() + 11_500 });
  expect(soon).toContain(en["conversation.retryIn"].replace("{{secs}}", "12"));
  expect(soon).toContain('disabled=""');
  const late = draw("INCOMPLETE", [answer], { ...hint, retryAt: Date.now() + 7_200_000 });
  expect(late).toContain(en["conversation.retryFrom"].split("{{")[0]);
  const past = draw("INCOMPLETE", [answer], { ...hint, retryAt: Date.now() - 1 });
  expect(past).not.toContain('disabled=""');
  expect(past).not.toContain("sent again");
});

test("what speaks to the user refuses to be used outside its provider [ERR-038]", () => {
  function Stray() {
    useEngine().site.showToast({ type: "info", text: { content: "?" } });
    return null;
  }
  expect(() => renderToStaticMarkup(<Stray />)).toThrow("useEngine must be used inside EngineProvider");
});

test("a withdrawn reply says so once, whether or not something stands in its place", () => {
  const said = `>${en["status.contentFilter"]}<`;
  const template: Fragment = { id: 2, type: "TEMPLATE_RESPONSE", content: en["status.contentFilter"] };
  expect(draw("CONTENT_FILTER", [template]).split(said)).toHaveLength(2);
  expect(draw("CONTENT_FILTER", []).split(said)).toHaveLength(2);
});

test("who is muted, or has a reply running, can't try again, and is told why", () => {
  const hint = { text: { key: "rateLimitReached" }, type: "error", clickBehavior: "retry" } as const;
  const retry = (): string => {
    const drawn = draw("INCOMPLETE", [answer], hint);
    const end = drawn.indexOf(en["common.retry"]);
    return drawn.slice(drawn.lastIndexOf("<button", end), end);
  };
  const put = (state: ClientSession["state"]): void =>
    engine.sessions.store.setState({ byId: { s1: { ...emptySession("s1"), state } } });
  const { mute } = engine.accounts;
  put("idle");
  expect(retry()).not.toContain("aria-disabled");
  mute.setState({ until: 1_790_000_100 });
  expect(retry()).toContain('aria-disabled="true"');
  expect(retry()).toContain(`aria-description="${en.mutedUntil.split("{{")[0]}`);
  mute.setState({ until: null });
  put("completing");
  expect(retry()).toContain(`aria-description="${en.waitForReply}"`);
});

test("where the chat's role was deleted, no button asks for a reply; what was said is still copied and judged", () => {
  const hint = { text: { key: "serverBusy" }, type: "error", clickBehavior: "retry" } as const;
  const asking = ["conversation.regenerate", "conversation.continue", "common.retry"] as const;
  const offered = (): string[] => {
    const drawn = draw("INCOMPLETE", [answer], hint);
    return asking.filter((key) => drawn.includes(en[key]));
  };
  const session: ClientSession = { ...emptySession("s1"), state: "idle", agentId: "role-1" };
  engine.sessions.store.setState({ byId: { s1: session } });
  expect(offered()).toEqual(asking);
  engine.agents.store.setState({ gone: ["role-1"] });
  expect(offered()).toEqual([]);
  const drawn = draw("INCOMPLETE", [answer], hint);
  expect(drawn).toContain(copy);
  expect(drawn).toContain(`aria-label="${en["feedback.like"]}"`);
  engine.agents.store.setState({ gone: [] });
});
