// A chat of very many turns, without asking for each of them.
import type { Page } from "@playwright/test";
import type { History } from "@plumb/protocol/wire/sessions";

/** What each answer may cite. */
const search = {
  id: 2,
  type: "SEARCH",
  status: "FINISHED",
  content: null,
  queries: [],
  results: [1, 2, 3].map((number) => ({
    url: `https://tides.example/${number}`,
    title: `Page ${number}`,
    snippet: "",
    cite_index: number,
    site_name: null,
    site_icon: null,
    published_at: null,
    query_indexes: [],
  })),
};

function plainAnswer(turn: number): string {
  return `Answer number ${turn + 1}. ${"Some more words. ".repeat(20)}\n\nAnd **bold** ones.`;
}

/** A history of many turns in place of that of one. */
function lengthened(history: History, turns: number, answerOf: (turn: number) => string): History {
  const [question, reply] = history.chat_messages;
  if (question === undefined || reply === undefined) throw new Error("There is no turn to repeat.");
  const messages = Array.from({ length: turns }, (_none, turn) => {
    const id = 2 * turn + 1;
    const asked = `Question number ${turn + 1}?`;
    return [
      {
        ...question,
        message_id: id,
        parent_id: turn === 0 ? null : id - 1,
        fragments: [{ id: 1, type: "REQUEST", content: asked }],
      },
      {
        ...reply,
        message_id: id + 1,
        parent_id: id,
        fragments: [search, { id: 3, type: "RESPONSE", content: answerOf(turn) }],
      },
    ];
  }).flat() as History["chat_messages"];
  return {
    ...history,
    chat_session: { ...history.chat_session, current_message_id: 2 * turns, version: 2 * turns },
    chat_messages: messages,
  };
}

/** From now on every history that the page loads, of one turn, is that turn over and over. */
export async function answerWithLongHistory(
  page: Page,
  turns: number,
  answerOf = plainAnswer,
): Promise<void> {
  await page.route("**/api/v0/chat/history_messages*", async (route) => {
    // As if the page kept no copy of its own.
    const address = new URL(route.request().url());
    address.searchParams.delete("cache_version");
    const answer = await route.fetch({ url: address.href });
    const body = (await answer.json()) as { data: { biz_data: History } };
    body.data.biz_data = lengthened(body.data.biz_data, turns, answerOf);
    await route.fulfill({ response: answer, json: body });
  });
}
