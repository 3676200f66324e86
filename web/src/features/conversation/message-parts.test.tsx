import type { Fragment } from "@plumb/protocol/conversation/fragment";
import type { MessageStatus } from "@plumb/protocol/conversation/message";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Engine } from "../../engine/engine.ts";
import { clientMessage, type ClientMessage } from "../../engine/sessions/client-message.ts";
import { engineAtRest } from "../../engine/testing/engine-at-rest.ts";
import { wireFile } from "../../engine/testing/wire-file.ts";
import { wireMessage } from "../../engine/testing/wire-message.ts";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { setLocale } from "../../i18n/i18n.ts";
import { copiedHtml } from "../../markdown/copied-html.ts";
import type { CopiedPart } from "../../markdown/copied-parts.ts";
import { copiedText } from "../../markdown/copied-text.ts";
import { partsOfPage } from "../../markdown/parts-of-page.ts";
import { createTextReader } from "../../markdown/parts-of-text.ts";
import { englishLabels } from "../../markdown/testing/english-markdown.tsx";
import { selectedIn } from "../../markdown/testing/selected-page.ts";
import { AssistantMessage } from "./assistant-message.tsx";
import { messageParts } from "./message-parts.ts";
import { UserMessage } from "./user-message.tsx";

let engine: Engine;
beforeAll(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** What is copied of a message that is drawn, with all of its buttons. */
function drawn(message: ClientMessage): readonly CopiedPart[] {
  const html = renderToStaticMarkup(
    <EngineProvider engine={engine}>
      {message.role === "USER" ? (
        <UserMessage sessionKey="s1" message={message} />
      ) : (
        <AssistantMessage sessionKey="s1" message={message} isLast />
      )}
    </EngineProvider>,
  );
  const [range] = selectedIn(`<button>«</button><div data-message-id="2">${html}</div><button>»</button>`);
  return (range && partsOfPage(range, createTextReader(englishLabels))) ?? [];
}

function expectSame(message: ClientMessage): void {
  const undrawn = createTextReader(englishLabels).message(messageParts(message));
  const parts = drawn(message);
  expect(copiedText(parts)).toBe(copiedText(undrawn));
  expect(copiedHtml(parts)).toBe(copiedHtml(undrawn));
}

const search: Fragment = {
  id: 2,
  type: "SEARCH",
  status: "FINISHED",
  content: null,
  queries: [],
  results: [],
};
const replies: Record<string, Fragment[]> = {
  nothing: [],
  answer: [{ id: 2, type: "RESPONSE", content: "**Four** `a`\n\n1. so $x$" }],
  parts: [
    search,
    { id: 3, type: "RESPONSE", content: "One." },
    { id: 4, type: "RESPONSE", content: "- Two" },
  ],
  template: [{ id: 2, type: "TEMPLATE_RESPONSE", content: "Not\n  this." }],
  tip: [
    { id: 2, type: "RESPONSE", content: "Four." },
    {
      id: 3,
      type: "TIP",
      style: "WARNING",
      content: "For  reference.",
      hide_on_wip: true,
      category: "GENERAL",
    },
  ],
  unknown: [{ id: 2, type: "HOLOGRAM", content: "x" }],
};
const statuses: MessageStatus[] = ["FINISHED", "INCOMPLETE", "TIMEOUT", "CONTENT_FILTER", "WIP"];

test.each(Object.keys(replies))(
  "of a reply with %s the same is copied before and after it is drawn",
  (name) => {
    for (const status of statuses)
      expectSame(
        clientMessage(
          wireMessage({
            message_id: 2,
            parent_id: 1,
            role: "ASSISTANT",
            status,
            fragments: replies[name] ?? [],
          }),
        ),
      );
  },
);

test("so it is of a question with blanks, lines and files", () => {
  for (const files of [
    [],
    [wireFile({ id: "f1", file_name: "a  b.txt" }), wireFile({ id: "f2", file_name: "c.txt" })],
  ])
    for (const content of ["", "two  blanks\n\n  <b> & more"])
      expectSame(
        clientMessage(
          wireMessage({
            message_id: 1,
            parent_id: null,
            role: "USER",
            files,
            fragments: [{ id: 1, type: "REQUEST", content }],
          }),
        ),
      );
});
