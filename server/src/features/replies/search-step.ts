// Looking something up in the web for a reply: the queries are planned, asked, and the best pages read. Every part leaves
// what it has done in the SEARCH fragment (wire-contract.md §3.4, §4.6), so that a take-over goes on behind it: a query that
// was answered is never asked again. The model may ask for one more round, as a tool.
import { type Fragment, isFragment, type SearchFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { StreamEvent } from "@plumb/protocol/stream/stream-event";
import type { ModelTool, ToolCall } from "../../ports/model-provider.ts";
import { mergeHits } from "../search/merge-hits.ts";
import { MOST_QUERIES, readQueries } from "../search/plan-queries.ts";
import type { WebSearch } from "../search/web-search.ts";
import { delta, searchFailedEvent } from "./reply-events.ts";
import type { ReplyStep, StepDesk, StepEnd, ToolKind } from "./reply-steps.ts";

const ROUNDS = 2;
const CALL_ID = "search_again";
const HERE = "response/fragments/-1";

const tool: ModelTool = {
  name: "search_web",
  description:
    "Searches the web once more. To be called only when the sources given so far do not answer the question.",
  parameters: {
    type: "object",
    properties: {
      queries: {
        type: "array",
        items: { type: "string" },
        minItems: 1,
        maxItems: MOST_QUERIES,
        description: "Short queries, in the language of the question.",
      },
    },
    required: ["queries"],
  },
};

/** The steps of a reply that searches: what the reply looks up before the model is asked, and what the model may call. */
export function searchSteps(search: WebSearch): { kind: ToolKind; first: ReplyStep } {
  /** Where the marks of sites may be had, as the provider told this process, by the addresses of the pages. */
  const icons = new Map<string, string>();
  const step = (
    name: string,
    run: (desk: StepDesk, fragment: SearchFragment) => Promise<StepEnd>,
  ): ReplyStep => ({
    name,
    async run(desk) {
      const fragment = searchesOf(desk.message).at(-1);
      if (fragment === undefined) throw new Error("a step of a search has no fragment");
      return run(desk, fragment);
    },
  });

  const plan = step("plan", async (desk) => {
    const queries = await search.plan(desk.signal);
    desk.change(set(`${HERE}/queries`, queries.map(waiting)));
    return then(ask);
  });

  const ask = step("search", async (desk, begun) => {
    let fragment = begun;
    const first = firstIndex(desk.message, begun);
    await Promise.all(
      begun.queries.map(async ({ query, status }, index) => {
        if (status !== "WIP") return;
        const hits = await search.find(query, desk.signal);
        if (hits === null) {
          fragment = withStatus(fragment, index, "FAILED");
          desk.change(batch([{ p: `queries/${index}/status`, v: "FAILED" }]));
          return;
        }
        for (const { url, iconUrl } of hits) if (iconUrl !== null) icons.set(url, iconUrl);
        fragment = mergeHits(fragment, index, hits, first);
        desk.change(
          set(`${HERE}/queries/${index}/results`, fragment.queries[index]?.results ?? []),
          batch([{ p: `queries/${index}/status`, v: "FINISHED" }]),
          set(`${HERE}/results`, fragment.results),
        );
      }),
    );
    if (fragment.queries.length > 0 && fragment.queries.every(({ status }) => status === "FAILED")) {
      desk.change(finished("FAILED"), searchFailedEvent(search.locale));
      return then();
    }
    if (fragment.results.length > 0) return then(read);
    desk.change(finished("FINISHED"));
    return then();
  });

  const read = step("read", async (desk, fragment) => {
    const results = await search.read(fragment.results, icons, desk.signal);
    desk.change(set(`${HERE}/results`, results), finished("FINISHED"));
    return then();
  });

  const resume = ({ queries }: SearchFragment): ReplyStep => {
    if (queries.length === 0) return plan;
    const found = queries.some(({ status, results }) => status === "FINISHED" && results.length > 0);
    return found && queries.every(({ status }) => status !== "WIP") ? read : ask;
  };

  const kind: ToolKind = {
    tool,
    fragmentType: "SEARCH",
    isDone: (fragment) => !isFragment(fragment, "SEARCH") || fragment.status !== "WIP",
    resume: (fragment) => resume(fragment as SearchFragment),
    isOffered: (message) => search.available && searchesOf(message).length < ROUNDS,
    begin: (call) => ({
      name: "search again",
      async run(desk) {
        // A model that calls more than once at a time.
        if (!kind.isOffered(desk.message)) return then();
        const queries = newQueries(call, desk.message);
        desk.begin(emptySearch(queries.map(waiting)));
        return then(ask);
      },
    }),
    async tell(fragment, message) {
      const searches = searchesOf(message);
      const round = searches.findIndex(({ id }) => id === fragment.id);
      const text = await search.tell(searches, round);
      if (round <= 0) return { kind: "prompt", before: text };
      const queries = (fragment as SearchFragment).queries.map(({ query }) => query);
      const call = { id: CALL_ID, name: tool.name, arguments: JSON.stringify({ queries }) };
      return {
        kind: "exchange",
        messages: [
          { role: "assistant", content: "", toolCalls: [call] },
          { role: "tool", content: text, toolCallId: CALL_ID },
        ],
      };
    },
  };

  const first: ReplyStep = {
    name: "begin search",
    async run(desk) {
      desk.begin(emptySearch([]));
      return then(plan);
    },
  };
  return { kind, first };
}

const then = (...steps: ReplyStep[]): StepEnd => ({ kind: "next", steps });

const waiting = (query: string) => ({ query, status: "WIP" as const, results: [] });

const emptySearch = (queries: SearchFragment["queries"]): Omit<SearchFragment, "id"> => ({
  type: "SEARCH",
  status: "WIP",
  content: null,
  queries,
  results: [],
  references: [],
  stage_id: 1,
});

const set = (p: string, v: unknown): StreamEvent => delta({ p, o: "SET", v });
const batch = (v: { p: string; v: unknown }[]): StreamEvent => delta({ p: HERE, o: "BATCH", v });
const finished = (status: "FINISHED" | "FAILED"): StreamEvent =>
  batch([
    { p: "status", v: status },
    { p: "content", v: null },
  ]);

function searchesOf(message: Message): SearchFragment[] {
  return message.fragments.filter((part: Fragment): part is SearchFragment => isFragment(part, "SEARCH"));
}

function withStatus(fragment: SearchFragment, index: number, status: "FAILED"): SearchFragment {
  const queries = fragment.queries.map((query, at) => (at === index ? { ...query, status } : query));
  return { ...fragment, queries };
}

/** Numbers are unique in the message: a second round goes on behind the first. */
function firstIndex(message: Message, fragment: SearchFragment): number {
  const earlier = searchesOf(message).filter(({ id }) => id !== fragment.id);
  return (
    1 + earlier.reduce((most, { results }) => Math.max(most, ...results.map((one) => one.cite_index ?? 0)), 0)
  );
}

/** What the model wants to know besides what was asked already; empty when that is nothing. */
function newQueries(call: ToolCall, message: Message): string[] {
  const asked = new Set(searchesOf(message).flatMap(({ queries }) => queries.map(({ query }) => query)));
  return readQueries(call.arguments).filter((query) => !asked.has(query));
}
