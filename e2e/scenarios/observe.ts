// What a scenario sees of a server, without what no two servers share: ids of sessions, times, counts of tokens.
import { type EventStreamReader, readEventStream } from "../../server/test/event-stream-reader.ts";
import { createHash } from "node:crypto";
import type { Message } from "@plumb/protocol/conversation/message";
import type { Challenge } from "@plumb/protocol/proof-of-work/challenge";
import { solve } from "@plumb/protocol/proof-of-work/puzzle";
import { reduceReply, startResponse } from "@plumb/protocol/stream/reply-reducer";
import { type ReplyState, emptyReply } from "@plumb/protocol/stream/reply-state";
import type { ReceivedEvent } from "@plumb/protocol/stream/stream-event";
import { uploadFile } from "@plumb/protocol/wire/files";
import { encodePowResponse, RequestHeader } from "@plumb/protocol/wire/headers";
import type { Player } from "./players.ts";
import type { Scenario, Step } from "./scenarios.ts";

type RequestHeaders = Record<string, string>;
type Json = Record<string, unknown>;

/** Values that differ from server to server, or from run to run. */
const times = /^(expire_at|inserted_at|created_at|updated_at|chat_session_updated_at|elapsed_secs)$/;
const counts = /^(accumulated_token_usage|token_usage|version|seq_id|quasi_status)$/;
const addresses = /^url$/;
const proofs = /\/(completion|regenerate|edit_message)$/;

/** Plays a scenario; an entry for each step that shows something. */
export async function observe(player: Player, { steps }: Scenario): Promise<unknown[]> {
  /** Ids of sessions, personas and files by their names. */
  const sessions = new Map<string, string>();
  const streams = new Map<string, EventStreamReader>();
  /** What a reader knew when its stream began. */
  const known = new Map<string, ReplyState>();
  const seen: unknown[] = [];
  let spent: RequestHeaders = {};

  const plain = (value: unknown, key = ""): unknown => {
    if (times.test(key) && typeof value === "number") return "a time";
    if (counts.test(key) && typeof value === "number") return "a number";
    if (addresses.test(key) && typeof value === "string") return "an address";
    if (Array.isArray(value)) return value.map((item) => plain(item));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, name)]));
    }
    const named = [...sessions].find(([, id]) => id === value);
    return named === undefined ? value : `<${named[0]}>`;
  };

  async function proof(path = "/api/v0/chat/completion"): Promise<RequestHeaders> {
    const asked = JSON.stringify({ target_path: path });
    const response = await player.ask("POST", "/api/v0/chat/create_pow_challenge", {}, asked);
    const { data } = (await response.json()) as { data: { biz_data: { challenge: Challenge } } };
    const { challenge } = data.biz_data;
    const answer = solve(challenge, (text) => createHash("sha256").update(text, "latin1").digest("hex"));
    return { [RequestHeader.PowResponse]: encodePowResponse({ ...challenge, answer: answer ?? -1 }) };
  }

  async function note(response: Response, { kinds = false, asked = false } = {}): Promise<void> {
    const { context: _trace, ...envelope } = (await response.json()) as Json;
    if (asked) {
      const { biz_data: data } = envelope["data"] as { biz_data: { chat_messages: Message[] } };
      data.chat_messages = data.chat_messages.filter(({ role }) => role === "USER");
    }
    seen.push({
      status: response.status,
      ...(kinds ? (kindsOf(envelope) as Json) : (plain(envelope) as Json)),
    });
  }

  async function play(step: Step): Promise<void> {
    if ("create" in step) {
      const asked = step.persona === undefined ? {} : { character_id: sessions.get(step.persona) };
      const response = await player.ask("POST", "/api/v0/chat_session/create", {}, JSON.stringify(asked));
      const made = (await response.clone().json()) as { data: { biz_data: { id: string } } };
      sessions.set(step.create, made.data.biz_data.id);
      await note(response);
    } else if ("persona" in step) {
      const response = await player.ask("POST", "/api/v0/character/create", {}, JSON.stringify(step.body));
      const made = (await response.clone().json()) as { data: { biz_data: { id: string } | null } };
      if (made.data.biz_data !== null) sessions.set(step.persona, made.data.biz_data.id);
      await note(response);
    } else if ("upload" in step) {
      const headers =
        step.proof === "none" ? {} : step.proof === "spent" ? spent : await proof(uploadFile.path);
      if (headers[RequestHeader.PowResponse] !== undefined) spent = headers;
      const response = await player.upload(step.name, step.content ?? "Some words.", headers);
      const taken = (await response.clone().json()) as { data: { biz_data: { id: string } | null } | null };
      if (taken.data?.biz_data != null) sessions.set(step.upload, taken.data.biz_data.id);
      await note(response);
    } else if ("fileRead" in step) await player.fileRead(sessions.get(step.fileRead) ?? "");
    else if ("finish" in step) await streams.get(step.finish)?.ended;
    else if ("write" in step) await player.write(step.write);
    else if ("read" in step) {
      const reader = streams.get(step.read);
      if (reader === undefined) throw new Error(`there is no stream ${step.read}`);
      const before = known.get(step.read) ?? emptyReply();
      await reader.waitFor(() => hasCome(reader.events, before, step.until));
      const { message } = reader.events.reduce(reduceReply, before);
      seen.push({ [step.read]: orderOf(reader.events), message: plain(message), ids: idsOf(reader.events) });
    } else {
      const path = "send" in step ? `/api/v0/chat/${step.send}` : step.call;
      const session = sessions.get(step.session ?? "");
      const character = "of" in step ? { character_id: sessions.get(step.of ?? "") } : {};
      const files = step.files?.map((name) => sessions.get(name) ?? name);
      const body = {
        ...(session === undefined ? {} : { chat_session_id: session }),
        ...character,
        ...(files === undefined ? {} : { ref_file_ids: files }),
        ...step.body,
      };
      const headers: RequestHeaders =
        proofs.test(path) && step.proof === undefined ? await proof() : step.proof === "spent" ? spent : {};
      if (headers[RequestHeader.PowResponse] !== undefined) spent = headers;
      if ("send" in step && step.after !== undefined) {
        const state = (streams.get(step.after)?.events ?? []).reduce(reduceReply, emptyReply());
        headers["last-event-id"] = String(state.lastEventId);
        known.set(step.as, startResponse(state));
      }
      const query = "query" in step ? step.query : undefined;
      const named = Object.entries(query ?? {}).map(([key, value]): [string, string] => [
        key,
        sessions.get(value) ?? value,
      ]);
      if (files !== undefined) named.push(["file_ids", files.join(",")]);
      const response =
        query === undefined
          ? await player.ask("POST", path, headers, JSON.stringify(body))
          : await player.ask("GET", `${path}?${new URLSearchParams(named).toString()}`, headers, undefined);
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      if (!isStream) await note(response, { kinds: "kinds" in step, asked: "asked" in step });
      else if ("send" in step) streams.set(step.as, readEventStream(response, new AbortController()));
      else throw new Error(`${path} began a stream`);
    }
  }

  for (const step of steps) await play(step);
  return seen;
}

function hasCome(
  events: readonly ReceivedEvent[],
  known: ReplyState,
  until: "ready" | "thought" | "answer" | "close",
): boolean {
  if (until === "ready") return events.some(({ type }) => type === "update_session");
  if (until === "close") return events.some(({ type }) => type === "close");
  const { message } = events.reduce(reduceReply, known);
  const text = (message?.fragments ?? []).map(({ content }) => content).join("|");
  return until === "thought" ? text.startsWith("Two plus two 🧮") : text === "Two plus two 🧮|Four";
}

/** Names of events in their order. Pieces of text are left out: how they are cut is the model's, and the message has them. */
function orderOf(events: readonly ReceivedEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "ready") return [`ready ${JSON.stringify(event.data)}`];
    if (event.type === "title") return [`title ${event.data.content}`];
    if (event.type !== "delta") return [event.type];
    const { p, o, v } = event.data as { p?: string; o?: string; v: unknown };
    if (p === "response/fragments/-1/content" || (p === undefined && typeof v === "string")) return [];
    return [p === undefined ? "snapshot" : `${o} ${p}`];
  });
}

/** How the events are numbered, whatever their number. */
function idsOf(events: readonly ReceivedEvent[]): string {
  const ids = events.map(({ id }) => id);
  const numbers = ids.filter((id) => id !== null);
  const steady = numbers.every((id, index) => index === 0 || id === (numbers[index - 1] ?? 0) + 1);
  return `${ids[0] === null ? "ready without id" : `ready is ${ids[0]}`}, ${steady ? "no gap" : "a gap"}`;
}

function kindsOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kindsOf(one)]));
}
