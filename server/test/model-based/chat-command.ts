// One action of a user as fast-check's command: done to the server and to the model, then both are compared.
import { randomUUID } from "node:crypto";
import { featureQuota } from "@plumb/protocol/wire/accounts";
import { messageFeedback } from "@plumb/protocol/wire/feedback";
import { getClientStreams, resumeStream, stopStream } from "@plumb/protocol/wire/replies";
import { deleteAllSessions } from "@plumb/protocol/wire/history";
import {
  createSession,
  deleteSession,
  fetchSessionPage,
  historyMessages,
  updateSessionPinned,
  updateSessionTitle,
} from "@plumb/protocol/wire/sessions";
import { completion } from "@plumb/protocol/wire/turns";
import type { AsyncCommand } from "fast-check";
import { expect, vi } from "vitest";
import { setMutedUntil } from "../../src/features/moderation/account-status-store.ts";
import { type Action, at, isPossible, pickMessage, pickSession, type SessionPick } from "./chat-actions.ts";
import {
  addSession,
  type ChatModel,
  isForgotten,
  isTooLong,
  liveSessions,
  messageOf,
  type ModelSession,
  runningIn,
  thinkingUsed,
  touch,
} from "./chat-model.ts";
import { askTurn, ended, expectRefused, isAnswered, play } from "./chat-replies.ts";
import { compareHistory, compareList } from "./compare-chat.ts";
import type { RealChat } from "./real-chat.ts";
import { answerResume, listed, type ModelTurn, refuseSession } from "./turn-model.ts";

const PINNED_AT_MOST = 20;
/** What an account may do is known for less than a second by heart. */
const STATUS_KNOWN_MS = 1000;
/** Nothing of it waits for anything but the server. */
const HANGS_MS = 30_000;
const PURGED_AFTER_MINUTES = 60;
/** More than lies between two runs of it. */
const BETWEEN_PURGES_MINUTES = 11;
const ILLEGAL = "ILLEGAL_CHAT_SESSION_ID";

export class ChatCommand implements AsyncCommand<ChatModel, RealChat> {
  readonly action: Action;

  constructor(action: Action) {
    this.action = action;
  }

  check(model: Readonly<ChatModel>): boolean {
    return isPossible(model, this.action);
  }

  async run(model: ChatModel, real: RealChat): Promise<void> {
    model.nowMs = real.chat.clock.now();
    const touched = await inTime(perform(model, real, this.action), this.toString());
    real.chat.actions += 1;
    expectNoOtherCall(real);
    if (touched?.deleted === false) await compareHistory(real, touched);
    await compareList(real, model);
  }

  toString(): string {
    return JSON.stringify(this.action);
  }
}

/** No turn but those that begin a reply asks the model. */
function expectNoOtherCall(real: RealChat): void {
  expect(real.chat.arrived).toEqual([]);
}

/** An answer that never comes is a difference, too. */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer to ${what}`)), HANGS_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const prompts = {
  short: (word: string) => `ask ${word}`,
  long: (word: string) => `${"much ".repeat(25)}${word}`,
  "too-long": (word: string) => `${"more ".repeat(70)}${word}`,
  blank: () => " \n\u200b\t",
  "bad-unicode": (word: string) => `half \ud800 ${word}`,
};

/** Returns the session whose history may have changed. */
async function perform(model: ChatModel, real: RealChat, action: Action): Promise<ModelSession | null> {
  switch (action.do) {
    case "create":
      return create(model, real, action.agent);
    case "clock":
      await moveClock(model, real, action.minutes);
      return null;
    case "drive": {
      const session = at(
        liveSessions(model).filter((one) => runningIn(one) !== undefined),
        action.index,
      );
      const reply = session && runningIn(session);
      if (session === undefined || reply === undefined) return null;
      await play(model, real, { session, reply, script: action.script });
      return session;
    }
    case "page":
      await fetchPage(model, real, action.count);
      return null;
    case "bad-call":
      await expectAnswer(real, completion, {}, { code: 2, msg: "INVALID_PARAMS" });
      return null;
    case "mute":
      model.mutedUntil = action.seconds === 0 ? 0 : model.nowMs + action.seconds * 1000;
      await setMutedUntil(real.chat.app.db.kysely, real.userId, model.mutedUntil || null);
      real.chat.clock.skip(STATUS_KNOWN_MS);
      return null;
    default:
      return performIn(model, real, action, pickSession(model, action.session, real.chat.foreignSession));
  }
}

type InSession = Extract<Action, { session: SessionPick }>;
interface Place {
  id: string;
  session: ModelSession | null;
}

async function performIn(
  model: ChatModel,
  real: RealChat,
  action: InSession,
  place: Place,
): Promise<ModelSession | null> {
  const { id, session } = place;
  const turn = turnOf(real, action, place);
  if (turn !== null) {
    const script = "script" in action ? action.script : { pieces: [], end: "stop" as const };
    await askTurn(model, real, place, { turn, script, proof: !("proof" in action) || action.proof });
    const { thinking } = await real.person.ok(featureQuota, {});
    expect(thinking.used).toBe(thinkingUsed(model));
    return session;
  }
  switch (action.do) {
    case "stop":
      await stop(model, real, place, pickMessage(session, action.message));
      break;
    case "resume": {
      const message = pickMessage(session, action.message) ?? 0;
      const { lastEventId } = action;
      const headers = lastEventId === null ? {} : { "last-event-id": String(lastEventId) };
      const answer = await real.ask(resumeStream, { chat_session_id: id, message_id: message }, { headers });
      const expected = answerResume(model, session, message);
      expect(await isAnswered(real, answer, session, expected, lastEventId)).toBe(true);
      break;
    }
    case "look-up":
      await lookUp(real, place);
      break;
    case "rename":
      await rename(model, real, place, action.title);
      break;
    case "pin":
      await pin(model, real, place, action.pinned);
      break;
    case "delete":
      await remove(model, real, place, action.as);
      break;
    case "feedback":
      await giveFeedback(real, place, action.type, pickMessage(session, action.message) ?? 0);
      break;
    case "history":
      if (!(await refused(real, historyMessages, { chat_session_id: id }, session)) && session !== null)
        await compareHistory(real, session, session.version - (action.stale ? 1 : 0));
      break;
    case "forbid-edit":
      await forbidEdit(real, session);
      break;
    case "lose-agent":
      await changeRow(
        real,
        id,
        action.persona
          ? { agent: "character", character_id: randomUUID() }
          : { agent: "gone", character_id: null },
      );
      if (session !== null)
        session.agentGone = action.persona ? "CHARACTER_DELETED" : "CHARACTER_NOT_AVAILABLE";
      break;
    default:
      break;
  }
  return session;
}

/** What is asked of the server, where the action is a turn. */
function turnOf(real: RealChat, action: InSession, { id, session }: Place): ModelTurn | null {
  switch (action.do) {
    case "repeat":
      return real.lastTurns.get(id) ?? null;
    case "resend": {
      const failed = session?.messages.findLast(
        ({ role, status }) => role === "ASSISTANT" && status !== "FINISHED",
      );
      const request = messageOf(session ?? { messages: [] }, failed?.parent ?? null);
      if (request === undefined) return null;
      const prompt = request.parts[0]?.text ?? "";
      const { thinking } = request;
      const streamId = real.word();
      return {
        kind: "completion",
        parent: request.parent,
        prompt,
        known: null,
        thinking,
        model: null,
        streamId,
      };
    }
    case "continue":
      return {
        kind: "continue",
        message: pickMessage(session, action.message) ?? 0,
        fallback: action.fallback,
      };
    case "send":
    case "regenerate":
    case "edit": {
      const { thinking, model } = action;
      const again = action.stream === "again" ? [...(session?.streams.keys() ?? [])].at(-1) : undefined;
      const streamId = action.stream === "none" ? null : (again ?? real.word());
      const wishes = { thinking, model, streamId };
      const prompt = prompts[action.prompt](real.word());
      if (action.do === "send") {
        const known = { none: null, all: session?.lastId ?? 0, stale: (session?.lastId ?? 0) - 1 }[
          action.known
        ];
        return { kind: "completion", parent: pickMessage(session, action.under), prompt, known, ...wishes };
      }
      const message = pickMessage(session, action.message) ?? 0;
      return action.do === "edit"
        ? { kind: "edit", message, prompt, ...wishes }
        : { kind: "regenerate", message, ...wishes };
    }
    default:
      return null;
  }
}

async function create(model: ChatModel, real: RealChat, agent: string | null): Promise<ModelSession | null> {
  const answer = await real.ask(createSession, { character_id: agent });
  if (agent === "nobody") {
    expectRefused(real, answer, { code: 20, msg: "CHARACTER_NOT_AVAILABLE" });
    return null;
  }
  if (answer.kind !== "json") throw new Error("a stream");
  const made = answer.envelope.data?.biz_data as { id: string } | null | undefined;
  addSession(model, made?.id ?? "");
  return model.sessions.at(-1) ?? null;
}

/** True where the session cannot be used, and the server says so. */
async function refused(
  real: RealChat,
  call: Parameters<RealChat["person"]["call"]>[0],
  input: object,
  session: ModelSession | null,
): Promise<boolean> {
  const refusal = refuseSession(session);
  if (refusal === null) return false;
  const { envelope } = await real.person.call(call, input as never);
  expect(envelope.data).toMatchObject({ biz_code: refusal.code, biz_msg: refusal.msg });
  real.chat.reached.add(`${refusal.code} ${refusal.msg}`);
  return true;
}

/** Does what the model may refuse with a number of the call's own. */
async function expectAnswer(
  real: RealChat,
  call: Parameters<RealChat["ask"]>[0],
  input: object,
  refusal: { code: number; msg: string } | null,
): Promise<boolean> {
  const answer = await real.ask(call, input);
  expectRefused(real, answer, refusal ?? { code: 0, msg: "" });
  return refusal === null;
}

async function stop(
  model: ChatModel,
  real: RealChat,
  { id, session }: Place,
  message: number | null,
): Promise<void> {
  const input = { chat_session_id: id, ...(message === null ? {} : { message_id: message }) };
  if (!(await expectAnswer(real, stopStream, input, refuseSession(session))) || session === null) return;
  const running = runningIn(session);
  if (running === undefined || (message !== null && message !== running.id)) return;
  await ended(model, real, session, running, "stopped");
}

async function lookUp(real: RealChat, { id, session }: Place): Promise<void> {
  const ids = [...(session?.streams.keys() ?? [])].slice(-19);
  const input = { chat_session_id: id, client_stream_ids: [...ids, "never used"] };
  if ((await refused(real, getClientStreams, input, session)) || session === null) return;
  const { client_streams } = await real.person.ok(getClientStreams, input);
  const expected = ids.map((streamId) => {
    const reply = messageOf(session, session.streams.get(streamId)?.reply ?? null);
    return {
      client_stream_id: streamId,
      request_message_id: reply?.parent,
      response_message_id: reply?.id,
      status: reply?.status,
    };
  });
  expect(new Set(client_streams)).toEqual(new Set(expected));
}

async function rename(
  model: ChatModel,
  real: RealChat,
  { id, session }: Place,
  title: string,
): Promise<void> {
  const line = title.trim().replaceAll(/\s+/g, " ");
  const bad = line === "" ? { code: 2, msg: "EMPTY_TITLE" } : { code: 3, msg: "TITLE_TOO_LONG" };
  const refusal = refuseSession(session) ?? (line === "" || [...line].length > 32 ? bad : null);
  if (!(await expectAnswer(real, updateSessionTitle, { chat_session_id: id, title }, refusal))) return;
  if (session === null) return;
  Object.assign(session, { title: line, titleType: "USER" });
  touch(model, session);
}

async function pin(model: ChatModel, real: RealChat, { id, session }: Place, pinned: boolean): Promise<void> {
  const others = liveSessions(model).filter((one) => one.pinned && one !== session).length;
  const full = pinned && session?.pinned === false && others >= PINNED_AT_MOST;
  const refusal = refuseSession(session) ?? (full ? { code: 2, msg: "TOO_MANY_PINNED" } : null);
  if (await expectAnswer(real, updateSessionPinned, { chat_session_id: id, pinned }, refusal))
    Object.assign(session ?? {}, { pinned });
}

async function remove(
  model: ChatModel,
  real: RealChat,
  { id, session }: Place,
  as: "one" | "list" | "all",
): Promise<void> {
  const refusal = as === "all" ? null : refuseSession(session);
  if (as === "one") await expectAnswer(real, deleteSession, { chat_session_id: id }, refusal);
  if (as === "list") {
    // Of a list only that none was found.
    const none = refusal && { code: 1, msg: ILLEGAL };
    await expectAnswer(real, deleteSession, { chat_session_ids: [id, real.chat.foreignSession] }, none);
  }
  if (as === "all") await expectAnswer(real, deleteAllSessions, {}, null);
  if (refusal !== null) return;
  const gone = as === "all" ? liveSessions(model) : session === null ? [] : [session];
  for (const one of gone) {
    const running = runningIn(one);
    if (running !== undefined) await ended(model, real, one, running, "stopped");
    Object.assign(one, { deleted: true, messages: [] });
    one.streams.clear();
    await refused(real, historyMessages, { chat_session_id: one.id }, one);
  }
}

async function giveFeedback(
  real: RealChat,
  { id, session }: Place,
  type: "GOOD" | "BAD" | "" | null,
  message: number,
): Promise<void> {
  const meant = session === null ? undefined : messageOf(session, message);
  const refusal =
    refuseSession(session) ??
    (meant === undefined
      ? { code: 2, msg: "MESSAGE_NOT_FOUND" }
      : meant.role === "USER"
        ? { code: 3, msg: "NOT_AN_ASSISTANT_MESSAGE" }
        : null);
  const tag = type === "BAD" ? "fake" : null;
  const input = { chat_session_id: id, message_id: message, feedback_type: type, feedback_tag: tag };
  if (!(await expectAnswer(real, messageFeedback, input, refusal)) || session === null || !meant) return;
  meant.feedback = type ? { feedback_type: type, feedback_tag: tag, description: null } : null;
  session.version += 1;
}

async function fetchPage(model: ChatModel, real: RealChat, count: number): Promise<void> {
  const { envelope } = await real.person.call(fetchSessionPage, { count });
  if (count < 1 || count > 100) {
    expect(envelope.data).toMatchObject({ biz_code: 1, biz_msg: "ILLEGAL_COUNT" });
    real.chat.reached.add("1 ILLEGAL_COUNT");
    return;
  }
  const sessions = listed(model);
  expect(envelope.data?.biz_data).toMatchObject({
    chat_sessions: sessions.slice(0, count).map(({ id }) => ({ id })),
    has_more: sessions.length > count,
  });
}

/** As a filter may. */
async function forbidEdit(real: RealChat, session: ModelSession | null): Promise<void> {
  const request = session?.messages.findLast(({ role }) => role === "USER");
  if (session === null || request === undefined) return;
  request.banEdit = true;
  await real.chat.app.db.kysely
    .updateTable("messages")
    .set({ ban_edit: 1 })
    .where("session_id", "=", session.id)
    .where("message_id", "=", request.id)
    .execute();
}

async function changeRow(
  real: RealChat,
  id: string,
  change: { agent: string; character_id: string | null },
): Promise<void> {
  await real.chat.app.db.kysely.updateTable("sessions").set(change).where("id", "=", id).execute();
}

/** Lets time pass: replies run out of theirs, empty sessions are forgotten. */
async function moveClock(model: ChatModel, real: RealChat, minutes: number): Promise<void> {
  real.chat.clock.skip(minutes * 60_000);
  model.nowMs = real.chat.clock.now();
  const late = liveSessions(model).filter((session) => {
    const running = runningIn(session);
    return running !== undefined && isTooLong(model, running);
  });
  // Which of two ends first is not said: the list shows it.
  const keys = late.map((session) => real.live.get(`${session.id}/${runningIn(session)?.id}`));
  for (const live of keys) await live?.reader.ended;
  const { chat_sessions } = await real.person.ok(fetchSessionPage, {});
  const order = chat_sessions.map(({ id }) => id).toReversed();
  late.sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  for (const session of late) await ended(model, real, session, runningIn(session)!, "time-limit");
  const forgotten = model.sessions.filter((session) => isForgotten(model, session));
  model.sessions = model.sessions.filter((session) => !forgotten.includes(session));
  if (minutes < PURGED_AFTER_MINUTES) return;
  for (const { id } of forgotten) {
    const input = { chat_session_id: id };
    const said = async () => (await real.person.call(historyMessages, input)).envelope.data?.biz_msg;
    await vi
      .waitFor(() => said().then((msg) => expect(msg).toBe(ILLEGAL)), { timeout: 3000, interval: 20 })
      .catch(
        // A purge that still ran from an earlier skip did not see this one: the next begins some minutes after its end.
        () => moveClock(model, real, BETWEEN_PURGES_MINUTES),
      );
    await expect.poll(said).toBe(ILLEGAL);
  }
}
