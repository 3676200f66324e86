// What a page of the list says of the sessions whose places lie in it: kept histories of those that are missing go by it.
import type { Session, SessionPage } from "@plumb/protocol/wire/sessions";
import { expect, test } from "vitest";
import type { ApiClient } from "../api-client.ts";
import type { ListedPage } from "./history-cache.ts";
import { createSessionList } from "./session-list.ts";

/** The session s5 has seq_id 5, and is the newer the greater that is. */
const session = (seq: number): Session => ({
  id: `s${seq}`,
  seq_id: seq,
  agent: "chat",
  model_type: "chat",
  is_empty: false,
  route_id: null,
  character_id: null,
  title: "x",
  title_type: "USER",
  version: 1,
  current_message_id: null,
  inserted_at: seq,
  updated_at: seq,
  pinned: false,
});

const page = (has_more: boolean, seqs: readonly number[], pinned: readonly number[] = []): SessionPage => ({
  has_more,
  chat_sessions: seqs.map(session),
  pinned_sessions: pinned.map((seq) => ({ ...session(seq), pinned: true })),
});

/** A list whose pages are answered with these, one after the other. */
function listOf(answers: SessionPage[]) {
  const pages: ListedPage[] = [];
  const given = [...answers];
  const call = async () => ({ ok: true, data: given.shift() });
  const list = createSessionList({
    api: { call } as unknown as ApiClient,
    pageSize: () => 2,
    onShown: () => {},
    onReceived: () => {},
    onPage: (one) => pages.push(one),
  });
  /** What was told last. */
  const told = () => {
    const { from, before, ids } = pages.at(-1)!;
    return { from, before, ids: [...ids].sort() };
  };
  async function ask(name: "start" | "loadMore" | "refresh"): Promise<void> {
    const before = pages.length;
    void list[name]();
    await new Promise((resolve) => setTimeout(resolve));
    expect(pages).toHaveLength(before + 1);
  }
  return { list, ask, told };
}

type Row = [name: string, asks: ("loadMore" | "refresh")[], answers: SessionPage[], told: object];
const all = { from: -Infinity, before: Infinity };

test.each<Row>([
  ["the only page: of all", [], [page(false, [9, 7])], { ...all, ids: ["s7", "s9"] }],
  ["an empty list: of all, of which none is left", [], [page(false, [])], { ...all, ids: [] }],
  [
    "the first of several: down to its last one",
    [],
    [page(true, [9, 7])],
    { from: 7, before: Infinity, ids: ["s7", "s9"] },
  ],
  [
    "a page in the middle: between the last of the page before and its own last",
    ["loadMore"],
    [page(true, [9, 7]), page(true, [6, 4])],
    { from: 4, before: 7, ids: ["s4", "s6", "s7", "s9"] },
  ],
  [
    "the last page: all below the page before",
    ["loadMore"],
    [page(true, [9, 7]), page(false, [4])],
    { from: -Infinity, before: 7, ids: ["s4", "s7", "s9"] },
  ],
  [
    "an empty last page: that nothing is below",
    ["loadMore"],
    [page(true, [9, 7]), page(false, [])],
    { from: -Infinity, before: 7, ids: ["s7", "s9"] },
  ],
  [
    "an empty page that is not the last: nothing",
    [],
    [page(true, [])],
    { from: Infinity, before: Infinity, ids: [] },
  ],
  [
    "a page with pinned ones from far below: that they are there, and no more of their places",
    [],
    [page(true, [9, 7], [9, 2])],
    { from: 7, before: Infinity, ids: ["s2", "s7", "s9"] },
  ],
  [
    "a first page that is asked for once more: of its own places, whatever is listed below",
    ["loadMore", "refresh"],
    [page(true, [9, 7]), page(false, [4]), page(true, [10, 9])],
    { from: 9, before: Infinity, ids: ["s10", "s4", "s7", "s9"] },
  ],
  [
    "a first page from which one is missing: all of its places, without that one",
    ["refresh"],
    [page(true, [9, 7, 5]), page(true, [9, 5])],
    { from: 5, before: Infinity, ids: ["s5", "s9"] },
  ],
  [
    "a first page of which nothing was listed: its own places alone",
    ["refresh"],
    [page(true, [9, 7]), page(true, [20, 19])],
    { from: 19, before: Infinity, ids: ["s19", "s20"] },
  ],
])("%s", async (_name, asks, answers, told) => {
  const list = listOf(answers);
  for (const ask of ["start", ...asks] as const) await list.ask(ask);
  expect(list.told()).toEqual(told);
});

test("those that were removed here and are answered yet: that they are there", async () => {
  const { list, ask, told } = listOf([page(true, [9, 7], [2]), page(true, [9, 7], [2])]);
  await ask("start");
  list.remove("s7");
  list.remove("s2");
  await ask("refresh");
  expect(told()).toEqual({ from: 7, before: Infinity, ids: ["s2", "s7", "s9"] });
});
