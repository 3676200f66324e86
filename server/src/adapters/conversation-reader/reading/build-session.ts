// Makes a session of ours of a conversation of elsewhere, in the form in which it is stored.
import type { Fragment, SearchResult } from "@plumb/protocol/conversation/fragment";
import { LIMITS } from "@plumb/protocol/limits";
import { firstCodePoints, hasAtMost } from "@plumb/protocol/rules/code-points";
import { oneLine } from "@plumb/protocol/rules/one-line";
import { firstWordsTitle } from "@plumb/protocol/rules/title-rules";
import { countTokens } from "../../../platform/count-tokens.ts";
import type { MessageRecord, SessionRecord } from "../../../ports/conversation-reader.ts";
import { messageTree, type TreeMessage } from "./message-tree.ts";
import type {
  SourceConversation,
  SourceFile,
  SourceMessage,
  SourcePage,
  SourcePart,
} from "./source-conversation.ts";
import { ConversationError } from "./upload-error.ts";

const MODEL_CHARS = 100;
/** No agent and no persona has a longer one. */
const AGENT_ID_CHARS = 100;
const CITED_PAGES = 200;

export interface BuiltMessage {
  record: Omit<MessageRecord, "bytes">;
  /** JSON of Fragment[]. */
  fragments: Buffer;
}

export interface BuiltSession {
  session: Omit<SessionRecord, "type" | "place" | "source">;
  messages: BuiltMessage[];
  files: SourceFile[];
  /** UTF-8 bytes of all fragments. */
  bytes: number;
}

/** Throws ConversationError where nothing can be made of it. */
export async function buildSession(
  conversation: SourceConversation,
  { now, mostMessages }: { now: number; mostMessages: number },
): Promise<BuiltSession> {
  const times = conversation.messages.flatMap(({ at }) => at ?? []);
  const begun = conversation.insertedAt ?? least(times) ?? now;
  const { messages, current } = messageTree(conversation, { begun, mostMessages });
  const built: BuiltMessage[] = [];
  let bytes = 0;
  let said = 0;
  for (const message of messages) {
    const fragments = fragmentsOf(message);
    const text = sentAgain(fragments);
    said += Buffer.byteLength(text);
    if (said > LIMITS.sessionBytes) throw new ConversationError("TOO_LARGE", "more than a session may have");
    const json = Buffer.from(JSON.stringify(fragments));
    if (json.length > LIMITS.importMessageBytes)
      throw new ConversationError("TOO_LARGE", "a message too long");
    bytes += json.length;
    built.push({ record: { ...headOf(message), tokens: await countTokens(text) }, fragments: json });
  }
  const files = messages.flatMap(({ of }) => of.flatMap((source) => source.files));
  return {
    session: {
      agent: shortId(conversation.agent) ?? "chat",
      character: shortId(conversation.character),
      ...titleOf(conversation, messages),
      version: conversation.version ?? 1,
      pinned: conversation.pinned,
      insertedAt: Math.min(begun, least(times) ?? begun),
      updatedAt: conversation.updatedAt ?? Math.max(begun, ...messages.map(({ at }) => at)),
      current: current.id,
      messages: messages.length,
    },
    messages: built,
    files: [...new Map(files.map((file) => [file.ref, file])).values()],
    bytes,
  };
}

function shortId(id: string | null): string | null {
  return id !== null && id.length <= AGENT_ID_CHARS ? id : null;
}

function least(times: readonly number[]): number | null {
  return times.reduce<number | null>((found, time) => (found === null || time < found ? time : found), null);
}

function titleOf(
  conversation: SourceConversation,
  messages: readonly TreeMessage[],
): Pick<SessionRecord, "title" | "titleType"> {
  const title = firstWordsTitle(conversation.title);
  if (title !== "") return { title, titleType: conversation.titleType ?? "SYSTEM" };
  // An own session without a title gets one with its next reply.
  if (conversation.titleType !== null) return { title: null, titleType: "WIP" };
  const prompt = messages[0]?.of[0]?.parts.find((part) => part.type === "prompt");
  const words = firstWordsTitle((prompt?.text ?? "").slice(0, 10 * LIMITS.titleChars));
  return words === "" ? { title: null, titleType: "WIP" } : { title: words, titleType: "SYSTEM" };
}

function headOf({ of, parent, role, at, id }: TreeMessage): Omit<MessageRecord, "bytes" | "tokens"> {
  const last = of.at(-1) as SourceMessage;
  return {
    type: "message",
    id,
    parent: parent?.id ?? null,
    role,
    status: role === "USER" ? "FINISHED" : last.status,
    stopped: last.stopped,
    thinking: of.some(({ thinking }) => thinking),
    search: of.some(({ search }) => search),
    banRegenerate: of.some(({ banRegenerate }) => banRegenerate),
    banEdit: of.some(({ banEdit }) => banEdit),
    feedback: last.feedback,
    model: modelOf(of),
    insertedAt: at,
    files: role === "USER" ? [...new Set(of.flatMap(({ files }) => files.map(({ ref }) => ref)))] : [],
  };
}

function modelOf(messages: readonly SourceMessage[]): string {
  const model = oneLine(
    messages.findLast(({ role, model: one }) => role === "ASSISTANT" && one !== "")?.model ?? "",
  );
  return hasAtMost(model, MODEL_CHARS) ? model : firstCodePoints(model, MODEL_CHARS);
}

/** What the model is given again of a message. */
function sentAgain(fragments: readonly Fragment[]): string {
  return fragments
    .map((part) =>
      part.type === "REQUEST" || part.type === "RESPONSE"
        ? String((part as { content?: unknown }).content)
        : "",
    )
    .join("");
}

const STAGE = { stage_id: 1, references: [] } as const;

function fragmentsOf({ of, role }: TreeMessage): Fragment[] {
  const parts = of.flatMap((message) => message.parts);
  if (role === "USER") {
    const prompt = parts.flatMap((part) => (part.type === "prompt" ? [part.text] : [])).join("\n\n");
    return [{ id: 1, type: "REQUEST", content: prompt }];
  }
  const cited = new CitedPages();
  const fragments: Fragment[] = [];
  for (const part of parts) addPart(fragments, part, cited);
  return numbered(withSources(fragments, cited, parts));
}

/** What follows in the same kind is one fragment. */
function addPart(fragments: Fragment[], part: SourcePart, cited: CitedPages): void {
  const last = fragments.at(-1);
  if (part.type === "fragment") fragments.push(part.fragment);
  else if (part.type === "thought") {
    if (last?.type !== "THINK") {
      fragments.push({ id: 0, type: "THINK", content: part.text, elapsed_secs: part.secs, ...STAGE });
      return;
    }
    const thought = last as Extract<Fragment, { type: "THINK"; elapsed_secs: number | null }>;
    if (part.text !== "") thought.content += `\n\n${part.text}`;
    if (part.secs !== null) thought.elapsed_secs = (thought.elapsed_secs ?? 0) + part.secs;
  } else if (part.type === "answer") {
    const text = part.text.map((piece) => (typeof piece === "string" ? piece : cited.marks(piece))).join("");
    if (last?.type === "RESPONSE") (last as { content: string }).content += `\n\n${text}`;
    else fragments.push({ id: 0, type: "RESPONSE", content: text, ...STAGE });
  }
}

/** The pages that a message refers to, each once, numbered in the order in which they are met (wire-contract.md §3.4). */
class CitedPages {
  readonly #numbers = new Map<string, number>();
  readonly pages: SourcePage[] = [];

  numberOf(page: SourcePage): number | null {
    const known = this.#numbers.get(page.url);
    if (known !== undefined) return known;
    if (this.pages.length === CITED_PAGES) return null;
    this.pages.push(page);
    this.#numbers.set(page.url, this.pages.length);
    return this.pages.length;
  }

  marks(pages: readonly SourcePage[]): string {
    const numbers = new Set(pages.flatMap((page) => this.numberOf(page) ?? []));
    return [...numbers].map((number) => `[citation:${number}]`).join("");
  }
}

/** Before the answer stands what was looked for, and what was found. */
function withSources(
  fragments: readonly Fragment[],
  cited: CitedPages,
  parts: readonly SourcePart[],
): readonly Fragment[] {
  const searches = parts.flatMap((part) => (part.type === "search" ? [part] : []));
  for (const page of searches.flatMap(({ pages }) => pages)) cited.numberOf(page);
  const queries = [...new Set(searches.flatMap((search) => search.queries))].slice(0, CITED_PAGES);
  if (cited.pages.length === 0 && queries.length === 0) return fragments;
  const results = cited.pages.map((page, index): SearchResult => ({
    ...page,
    cite_index: index + 1,
    site_icon: null,
    query_indexes: queries.length === 0 ? [] : [0],
  }));
  const search: Fragment = {
    id: 0,
    type: "SEARCH",
    status: "FINISHED",
    content: null,
    // Which query has found what is not known any more.
    queries: queries.map((query, index) => ({
      query,
      status: "FINISHED",
      results: index === 0 ? results : [],
    })),
    results,
    ...STAGE,
  };
  const at = fragments.findIndex(({ type }) => type === "RESPONSE");
  const place = at === -1 ? fragments.length : at;
  return [...fragments.slice(0, place), search, ...fragments.slice(place)];
}

/** In a reply ids begin at 2. */
function numbered(fragments: readonly Fragment[]): Fragment[] {
  return fragments.map((fragment, index) => ({ ...fragment, id: index + 2 }));
}
