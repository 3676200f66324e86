import { treeOf } from "@plumb/protocol/conversation/message-tree";
import type { Message } from "@plumb/protocol/conversation/message";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test } from "vitest";
import type { Engine } from "../../../engine/engine.ts";
import { clientMessage } from "../../../engine/sessions/client-message.ts";
import { emptySession } from "../../../engine/sessions/client-session.ts";
import { engineAtRest } from "../../../engine/testing/engine-at-rest.ts";
import { wireMessage } from "../../../engine/testing/wire-message.ts";
import { EngineProvider } from "../../../hooks/use-engine.tsx";
import { setLocale } from "../../../i18n/i18n.ts";
import { ReplyActions } from "./reply-actions.tsx";

let engine: Engine;
beforeAll(async () => {
  engine = await engineAtRest();
  await setLocale("en_US");
});

const PROMPT = wireMessage({ message_id: 1, parent_id: null, role: "USER" });
const replies = (count: number, part: Partial<Message> = {}): Message[] =>
  Array.from({ length: count }, (_, at) =>
    wireMessage({ message_id: at + 2, parent_id: 1, role: "ASSISTANT", ...part }),
  );

/** The actions of the reply at this place, from 1, among so many. */
function draw(at: number, stored: readonly Message[]): string {
  const messages = [PROMPT, ...stored].map((message) => clientMessage(message));
  const session = { ...emptySession("s1"), tree: treeOf(messages, null) };
  engine.sessions.store.setState({ byId: { s1: session } });
  return renderToStaticMarkup(
    <EngineProvider engine={engine}>
      <ReplyActions sessionKey="s1" message={messages[at]!} isLast={false} />
    </EngineProvider>,
  );
}

/** What is said of the two arrows: whether each is disabled. */
function arrows(markup: string): Record<string, boolean> {
  const found = markup.matchAll(/<button[^>]*aria-disabled="(true|false)"[^>]*data-branch="(\w+)"/g);
  return Object.fromEntries([...found].map(([, disabled, name]) => [name, disabled === "true"]));
}

test("arrows show only where there are branches, and not while the message is in progress [ENG-074]", () => {
  expect(arrows(draw(1, replies(1)))).toEqual({});
  expect(arrows(draw(2, replies(2)))).toEqual({ previous: false, next: true });
  expect(arrows(draw(2, replies(2, { status: "WIP" })))).toEqual({});
});

test("an arrow is disabled at its end, and the place is there to be read and heard [ENG-073]", () => {
  const three = replies(3);
  expect([1, 2, 3].map((at) => arrows(draw(at, three)))).toEqual([
    { previous: true, next: false },
    { previous: false, next: false },
    { previous: false, next: true },
  ]);
  const markup = draw(2, three);
  expect(markup).toContain("2 / 3");
  const [, id] = /<span id="([^"]+)"[^>]*>Version 2 of 3<\/span>/.exec(markup) ?? [];
  expect(id).toBeTruthy();
  expect(markup.split(`aria-describedby="${id}"`)).toHaveLength(3);
});
