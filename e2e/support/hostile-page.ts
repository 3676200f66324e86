// A page that is shown hostile texts: where script ran, what was asked for outside, and what stands on it.
import type { Page } from "@playwright/test";
import type { SearchResult } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { createEncoder } from "@plumb/protocol/stream/event-stream-encoder";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { Session } from "@plumb/protocol/wire/sessions";
import type { HostileTexts } from "./hostile-texts.ts";

/** Where script ran, by the path of its frame. */
export async function watchScripts(page: Page): Promise<Map<string, Set<number>>> {
  const ran = new Map<string, Set<number>>();
  await page.exposeBinding("attacked", ({ frame }, n: number) => {
    const path = URL.canParse(frame.url()) ? new URL(frame.url()).pathname : frame.url();
    const place = frame === page.mainFrame() ? "our page" : path;
    ran.set(place, (ran.get(place) ?? new Set()).add(n));
  });
  return ran;
}

/** What stands on our page and must not: elements, attributes and addresses that could run or load something. */
export function forbiddenOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const all = [...document.querySelectorAll("#root *")];
    for (const element of all) {
      const name = element.tagName.toLowerCase();
      const isOurs = name === "iframe" && element.closest("[role=complementary]") !== null;
      if (
        /^(script|iframe|object|embed|style|meta|base|link|frame|video|audio|template|math:a)$/.test(name) &&
        !isOurs
      )
        found.push(name);
      for (const { name: attribute, value } of element.attributes) {
        if (/^on|^srcdoc$|^formaction$|^ping$|^data$|^poster$|^background$/i.test(attribute))
          found.push(`${name} ${attribute}`);
        const isAddress = /^(?:xlink:)?href$|^src$|^action$/i.test(attribute);
        if (isAddress && !/^(?:https?:\/\/|mailto:[^?]+$|blob:|\/|#)/.test(value))
          found.push(`${name} ${attribute}=${value.slice(0, 80)}`);
        if (name === "img" && attribute === "src" && !value.startsWith("blob:")) found.push(`img ${value}`);
        if (attribute === "style" && /url\(/i.test(value)) found.push(`${name} ${value}`);
      }
    }
    return found;
  });
}

/** Serves our page without its policy of content, as if the server had forgotten it. Takes effect with the next load. */
export async function withoutPolicy(page: Page): Promise<void> {
  await page.route(
    (url) => !/^\/(api|static)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      // A frame may still try to get out when the host outside is closed: that is noted as a request, and fails here.
      const response = await route.fetch().catch(() => null);
      if (response === null) return route.abort();
      const { "content-security-policy": _, ...headers } = response.headers();
      return route.fulfill({ response, headers });
    },
  );
}

const nowSecs = Math.floor(Date.now() / 1000);

/** The list of chats begins with one for each of these titles. */
export async function listTitles(page: Page, titles: readonly string[]): Promise<void> {
  await page.route("**/api/v0/chat_session/fetch_page*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as {
      data: { biz_data: { chat_sessions: Session[]; has_more: boolean } };
    };
    const listed = titles.map((title, index): Session => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      seq_id: 1_000_000 - index,
      agent: "chat",
      character_id: null,
      model_type: "default",
      title,
      title_type: "SYSTEM",
      version: 1,
      current_message_id: 2,
      pinned: false,
      is_empty: false,
      route_id: null,
      inserted_at: nowSecs,
      updated_at: nowSecs - index,
    }));
    body.data.biz_data.chat_sessions.unshift(...listed);
    body.data.biz_data.has_more = false;
    await route.fulfill({ response, json: body });
  });
}

function message(part: Pick<Message, "message_id" | "parent_id" | "fragments">): Message {
  return {
    role: "ASSISTANT",
    status: "WIP",
    files: [],
    accumulated_token_usage: 0,
    thinking_enabled: true,
    search_enabled: true,
    ban_regenerate: false,
    ban_edit: false,
    has_pending_fragment: false,
    feedback: null,
    inserted_at: nowSecs,
    client_stream_id: null,
    model: "",
    incomplete_message: null,
    auto_continue: false,
    conversation_mode: "DEFAULT",
    ...part,
  };
}

/**
 * Answers the next send as a server would that lets everything through: a search with hostile pages, a thought, an answer
 * that cites them and ends with bare links, tips, toasts and a hint.
 */
export async function answerHostile(page: Page, texts: HostileTexts, outside: string): Promise<void> {
  const all = texts.markdown.join("\n");
  const results = texts.markdown.map((text, index): SearchResult => ({
    url: [...texts.scriptAddresses, ...texts.html][index] ?? `${outside}/${encodeURIComponent(text)}`,
    title: text,
    snippet: text,
    cite_index: index + 1,
    site_name: text,
    site_icon: `${outside}/icon`,
    published_at: nowSecs,
    query_indexes: [0],
  }));
  const answer = [
    results.map(({ cite_index }) => `[citation:${cite_index}]`).join(" "),
    ...texts.markdown.map((text) => `${outside}/${encodeURIComponent(text)}`),
    ...texts.scriptAddresses,
    "End of the second answer.",
  ].join("\n\n");
  const tip = (id: number, style: "INFO" | "WARNING") =>
    ({ id, type: "TIP", content: all, style, hide_on_wip: false, category: "GENERAL" }) as const;
  const reply = message({
    message_id: 4,
    parent_id: 3,
    fragments: [
      { id: 2, type: "SEARCH", status: "FINISHED", content: all, queries: [], results },
      { id: 3, type: "THINK", content: "Hm.", elapsed_secs: 2 },
      { id: 4, type: "RESPONSE", content: answer },
      tip(5, "INFO"),
      tip(6, "WARNING"),
      { id: 7, type: texts.html[0] ?? "", content: all },
    ],
  });
  const events: StreamEvent[] = [
    { type: "ready", data: { request_message_id: 3, response_message_id: 4 } },
    { type: "update_session", data: { updated_at: nowSecs } },
    { type: "delta", data: { p: "", o: "SET", v: { response: reply } } },
    { type: "toast", data: { type: "error", content: all } },
    { type: "toast", data: { type: "warning", content: all } },
    { type: "delta", data: { p: "response/status", o: "SET", v: "INCOMPLETE" } },
    {
      type: "hint",
      data: {
        type: "error",
        content: all,
        clear_response: false,
        click_behavior: "none",
        finish_reason: "generation_err",
      },
    },
    { type: "close", data: { click_behavior: "none", auto_resume: false } },
  ];
  const encoder = createEncoder();
  const body = events.map((event, index) => encoder.encode(event, index + 1)).join("");
  await page.route("**/api/v0/chat/completion", (route) =>
    route.fulfill({ status: 200, contentType: "text/event-stream; charset=utf-8", body }),
  );
}

/** A page that puts every piece of HTML into itself and then says so. */
export function tryingPage(texts: HostileTexts): string {
  const pieces = JSON.stringify(texts.html).replaceAll("</", "<\\/").replaceAll("<!--", "<\\!--");
  return [
    "<!doctype html><body><script>",
    `for (const html of ${pieces}) try { document.body.append(document.createRange().createContextualFragment(html)); } catch {}`,
    "try { parent.attacked(-1); } catch {}",
    "try { parent.document.title = 'reached'; } catch {}",
    "document.body.append('all tried');",
    "</script>",
  ].join("\n");
}

/** Puts the HTML as it is into parts of our page and presses links to these addresses: what is left is the policy. */
export async function putRaw(
  page: Page,
  parts: readonly string[],
  { html, scriptAddresses }: HostileTexts,
): Promise<number> {
  return page.evaluate(
    async ({ selectors, pieces, addresses }) => {
      let put = 0;
      for (const selector of selectors) {
        const part = document.querySelector(selector);
        if (part === null) throw new Error(`There is no ${selector}.`);
        const holder = document.createElement("div");
        part.append(holder);
        for (const piece of pieces) {
          const place = document.createElement("div");
          holder.append(place);
          place.append(document.createRange().createContextualFragment(piece));
          put += 1;
        }
        for (const address of addresses) {
          const link = document.createElement("a");
          link.href = address;
          holder.append(link);
          link.click();
        }
        // What loads or fails to, does so in tasks of its own.
        await new Promise((resolve) => setTimeout(resolve, 100));
        holder.remove();
      }
      return put;
    },
    { selectors: parts, pieces: html, addresses: scriptAddresses },
  );
}
