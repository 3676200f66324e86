// The page of a share as robots, previews of links and readers without scripts get it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSession, deleteSession, updateSessionTitle } from "@plumb/protocol/wire/sessions";
import { createShare } from "@plumb/protocol/wire/sharing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askTurn } from "../../../test/ask-turn.ts";
import { createTestApp, type TestApp } from "../../../test/create-test-app.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { TestClient } from "../../../test/test-client.ts";
import { newShareId } from "./share-id.ts";

const evil = `<script>alert("1")</script> & 'more' $& $1`;
const shell = readFileSync(new URL("../../../../web/index.html", import.meta.url), "utf8");

/** As the build makes it. */
const drawn = {
  page: shell.replace(
    "<noscript>",
    '<div id="opening"><h1>{title}</h1><p>{question}</p></div><template>later</template><noscript>',
  ),
  untitled: "<i>Shared chat</i>",
  allowed: { style: "'sha256-style'", script: "'sha256-script'" },
};
const opening = /<div id="opening">.*<\/div>(?=<template>)/su;

let app: TestApp;
let anna: TestClient;
let nobody: TestClient;

beforeAll(async () => {
  const webRoot = temporaryFolder("share-page");
  mkdirSync(join(webRoot, "static"), { recursive: true });
  writeFileSync(join(webRoot, "index.html"), shell);
  writeFileSync(join(webRoot, "share-opening.json"), JSON.stringify(drawn));
  app = await createTestApp({
    webRoot,
    settings: { RATE_LIMITS: "public_ip_minute=40", BRAND_NAME: "Acme <AI>" },
  });
  anna = await app.signedIn();
  nobody = app.client();
});
afterAll(() => app.close());

async function shared(prompts: readonly string[], title: string): Promise<{ session: string; id: string }> {
  const { id: session } = await anna.ok(createSession, {});
  for (const [index, prompt] of prompts.entries()) {
    await askTurn(anna, session, { prompt, parent: index === 0 ? null : 2 * index });
  }
  const message_ids = prompts.flatMap((_prompt, index) => [2 * index + 1, 2 * index + 2]);
  const { share_id: id } = await anna.ok(createShare, { chat_session_id: session, message_ids, title });
  return { session, id };
}

it("has the title and the first words, told to no robot, and nothing that somebody wrote is markup", async () => {
  const { id } = await shared([`${evil}\nsecond line ${"x".repeat(300)}`], "A <b>title</b>");
  const response = await nobody.request(`/share/${id}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("set-cookie")).toBeNull();
  const html = await response.text();
  expect(html).toContain("<title>A &lt;b&gt;title&lt;/b&gt; - Acme &lt;AI&gt;</title>");
  expect(html).toContain('<meta name="robots" content="noindex, nofollow" />');
  expect(html).toContain(
    '<meta name="description" content="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39; $&amp; $1 second line xxx',
  );
  expect(html).toContain('<meta property="og:title" content="A &lt;b&gt;title&lt;/b&gt;" />');
  expect(html).toContain(`<noscript><p><a href="/share/${id}?text">`);
  expect(html).not.toContain("<script>");
  expect(html).not.toContain("You said");
});

it("says nothing of the session's title, nor of turns that were not chosen", async () => {
  const { id: session } = await anna.ok(createSession, {});
  for (const [index, prompt] of ["unchosen1", "Chosen question", "unchosen2"].entries())
    await askTurn(anna, session, { prompt, parent: index === 0 ? null : 2 * index });
  await anna.ok(updateSessionTitle, { chat_session_id: session, title: "sessiontitle" });
  const { share_id: id } = await anna.ok(createShare, { chat_session_id: session, message_ids: [3, 4] });
  for (const path of [`/share/${id}`, `/share/${id}?text`]) {
    const text = await (await nobody.request(path)).text();
    expect(text).toContain("Chosen question");
    expect(text).not.toMatch(/sessiontitle|unchosen/u);
  }
});

it("has the first question for who waits for the script, as it was written", async () => {
  const { id } = await shared([`{title} ${evil}`, "Second question"], "{question} <b>");
  const response = await nobody.request(`/share/${id}`);
  const policy = response.headers.get("content-security-policy");
  expect(policy).toContain("script-src 'self' 'sha256-script';");
  expect(policy).toContain("style-src 'self' 'sha256-style';");
  const html = await response.text();
  const words = [
    "{question} &lt;b&gt;",
    "{title} &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39; $&amp; $1",
  ];
  expect(opening.exec(html)?.[0]).toBe(`<div id="opening"><h1>${words[0]}</h1><p>${words[1]}</p></div>`);
  expect(html).not.toContain("Second question");
});

it("is the same with a slash at its end", async () => {
  const { id } = await shared(["Question"], "Title");
  const [page, slashed] = await Promise.all(
    [`/share/${id}`, `/share/${id}/`].map(async (path) => nobody.request(path)),
  );
  expect(slashed?.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(await slashed?.text()).toBe(await page?.text());
});

it("has no such question where that is long, or comes with files", async () => {
  const { id: file } = await anna.uploaded("notes.txt", "What the notes say");
  const { id: session } = await anna.ok(createSession, {});
  await askTurn(anna, session, { prompt: "What is in it?", parent: null, ref_file_ids: [file] });
  const { share_id: ofFile } = await anna.ok(createShare, { chat_session_id: session, message_ids: [1, 2] });
  const { id: long } = await shared(["long ".repeat(4000)], "Title");
  for (const id of [ofFile, long]) {
    const response = await nobody.request(`/share/${id}`);
    const html = await response.text();
    expect(html).toContain('<meta name="robots"');
    expect(html).not.toMatch(opening);
    expect(response.headers.get("content-security-policy")).toContain("script-src 'self';");
  }
});

it("is read as plain text without scripts, all of it", async () => {
  const { id } = await shared(["First <question>", "Second"], "Title");
  const response = await nobody.request(`/share/${id}?text`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  expect(await response.text()).toBe(
    "Title\n\nUser:\nFirst <question>\n\nAssistant:\nYou said: First <question>\n\nUser:\nSecond\n\nAssistant:\nYou said: Second\n\n",
  );
});

it("has as plain text the numbers of what an answer cites, and no marks", async () => {
  const { session } = await shared(["First"], "Title");
  const fragments = [
    {
      ...{
        id: 2,
        type: "SEARCH",
        status: "FINISHED",
        content: null,
        queries: [],
        references: [],
        stage_id: 1,
      },
      results: [
        { url: "https://sea.example", title: "The sea", snippet: "", cite_index: 1, query_indexes: [] },
      ],
    },
    {
      id: 3,
      type: "RESPONSE",
      content: "In 2023[citation:1], not [citation:2].",
      references: [],
      stage_id: 1,
    },
  ];
  await app.db.kysely
    .updateTable("messages")
    .set({ fragments: JSON.stringify(fragments) })
    .where("session_id", "=", session)
    .where("message_id", "=", 2)
    .execute();
  const { share_id: id } = await anna.ok(createShare, { chat_session_id: session, message_ids: [1, 2] });
  const text = await (await nobody.request(`/share/${id}?text`)).text();
  expect(text).toBe(
    "First\n\nUser:\nFirst\n\nAssistant:\nIn 2023[1], not.\n[1] The sea https://sea.example\n\n",
  );
});

it.each([
  ["INCOMPLETE", "Half of it", "Half of it\n[The reply ended before it was complete.]"],
  ["INCOMPLETE", null, "[No reply was received.]"],
  ["FINISHED", null, "[No reply was received.]"],
  ["TIMEOUT", "Half of it", "Half of it\n[The reply timed out before the end.]"],
  ["CONTEXT_LENGTH_EXCEEDED", "Half of it", "Half of it\n[This chat has reached its length limit.]"],
])("says as plain text that a reply is %s: %j", async (status, content, told) => {
  const { session } = await shared(["First"], "Title");
  const said = content === null ? [] : [{ id: 2, type: "RESPONSE", content, references: [], stage_id: 1 }];
  await app.db.kysely
    .updateTable("messages")
    .set({ status, fragments: JSON.stringify(said) })
    .where("session_id", "=", session)
    .where("message_id", "=", 2)
    .execute();
  const { share_id: id } = await anna.ok(createShare, { chat_session_id: session, message_ids: [1, 2] });
  const text = await (await nobody.request(`/share/${id}?text`)).text();
  expect(text).toBe(`First\n\nUser:\nFirst\n\nAssistant:\n${told}\n\n`);
});

it("tells nothing of a share that has ended or never was, and leaves all other pages as they are", async () => {
  const { id, session } = await shared(["Secret question"], "Secret title");
  await anna.ok(deleteSession, { chat_session_id: session });
  const pages: string[] = [];
  for (const one of [id, newShareId()]) {
    const response = await nobody.request(`/share/${one}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-robots-tag")).toBe("noindex, nofollow");
    pages.push(await response.text());
    expect((await nobody.request(`/share/${one}?text`)).status).toBe(404);
  }
  expect(pages[0]).toBe(pages[1]);
  expect(pages[0]).not.toContain("Secret");
  for (const path of ["/share/missing", "/share/invalid", `/share/${id}/more`, `/a/${id}`, "/"]) {
    expect(await (await nobody.request(path)).text(), path).toBe(shell);
  }
});

it("is given so often a minute to an address", async () => {
  const statuses = new Set<number>();
  for (let count = 0; count < 41; count += 1)
    statuses.add((await nobody.request(`/share/${newShareId()}`)).status);
  expect(statuses).toEqual(new Set([200, 429]));
  expect((await nobody.request("/share/missing")).status).toBe(200);
});
