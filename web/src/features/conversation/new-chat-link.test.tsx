import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Router } from "wouter";
import { EngineProvider } from "../../hooks/use-engine.tsx";
import { createFakeServer } from "../../engine/testing/fake-server.ts";
import { emptyDisk } from "../../engine/testing/fake-browser.ts";
import { openPage } from "../../engine/testing/open-page.ts";
import { NewChatLink } from "./new-chat-link.tsx";

/** The link of a chat in this state, with this value of the experiment. */
async function linkOf(state: string, experiment: unknown): Promise<string> {
  const { engine } = await openPage(createFakeServer(), emptyDisk());
  await engine.loadChat();
  const { store } = engine.sessions;
  store.setState({ byId: { s1: { state, agentId: "coder" } } } as never);
  engine.site.settings.setState({
    settings: { ab_tests: experiment === undefined ? {} : { show_new_chat_button_above_input: experiment } },
  } as never);
  return renderToStaticMarkup(
    <Router ssrPath="/">
      <EngineProvider engine={engine}>
        <NewChatLink sessionKey="s1" />
      </EngineProvider>
    </Router>,
  );
}

test("[SHELL-071] the new-chat button above the input is there unless the experiment takes it away", async () => {
  expect(await linkOf("idle", undefined)).toContain('href="/a/coder"');
  expect(await linkOf("idle", true)).toContain('href="/a/coder"');
  expect(await linkOf("idle", false)).toBe("");
  expect(await linkOf("completing", true)).toBe("");
});

test("the new-chat button is no part of what is copied of a chat", async () => {
  expect(await linkOf("idle", true)).toContain("data-uncopied");
});
