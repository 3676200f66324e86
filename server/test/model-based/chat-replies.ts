// Turns and the replies they begin: asked of the server, driven as the script says, told to the model, compared.
import { startResponse } from "@plumb/protocol/stream/reply-reducer";
import type { FullMessage } from "@plumb/protocol/wire/replies";
import { completion, continueMessage, editMessage, regenerate } from "@plumb/protocol/wire/turns";
import { expect } from "vitest";
import type { EventStreamReader } from "../event-stream-reader.ts";
import type { Script } from "./chat-actions.ts";
import {
  type ChatModel,
  endReply,
  type ModelMessage,
  type ModelSession,
  type ReplyEnd,
  say,
} from "./chat-model.ts";
import { modeled, told } from "./compare-chat.ts";
import { foldOf, keyOf, type RealAnswer, type RealChat, untilShown } from "./real-chat.ts";
import {
  answerTurn,
  beginTurn,
  type ModelRefusal,
  type ModelTurn,
  type TurnAnswer,
  useIds,
} from "./turn-model.ts";

export function expectRefused(real: RealChat, answer: RealAnswer, { code, msg }: ModelRefusal): void {
  const said = answer.kind === "json" ? answer.envelope.data : "a stream";
  expect(said).toMatchObject({ biz_code: code, biz_msg: msg });
  real.chat.reached.add(`${code} ${msg}`);
}

const calls = { completion, regenerate, edit: editMessage, continue: continueMessage };

function inputOf(id: string, turn: ModelTurn): object {
  if (turn.kind === "continue")
    return { chat_session_id: id, message_id: turn.message, fallback_to_resume: turn.fallback };
  const common = {
    chat_session_id: id,
    thinking_enabled: turn.thinking,
    model: turn.model,
    client_stream_id: turn.streamId,
  };
  if (turn.kind === "regenerate") return { ...common, child_message_id: turn.message };
  if (turn.kind === "edit") return { ...common, message_id: turn.message, prompt: turn.prompt };
  return {
    ...common,
    parent_message_id: turn.parent,
    prompt: turn.prompt,
    ...(turn.known === null ? {} : { known_last_message_id: turn.known }),
  };
}

/** Asks a turn of the server and holds the answer, and what came of it, against the model's. */
export async function askTurn(
  model: ChatModel,
  real: RealChat,
  { id, session }: { id: string; session: ModelSession | null },
  { turn, script, proof = true }: { turn: ModelTurn; script: Script; proof?: boolean },
): Promise<void> {
  const expected = answerTurn(model, session, turn, proof);
  const answer = await real.ask(calls[turn.kind], inputOf(id, turn), { proof });
  if (session === null || (await isAnswered(real, answer, session, expected))) return;
  const reader = streamOf(answer);
  if (expected.kind === "refused-prompt") {
    const events = await reader.ended;
    expect(events.map(({ type }) => type)).toEqual(["ready", "update_session", "hint", "close"]);
    useIds(session);
    return;
  }
  real.lastTurns.set(id, turn);
  const { reply, asksModel } = beginTurn(model, session, turn);
  if (!asksModel) {
    await reader.ended;
    return endAs(model, session, reply, { reader, end: "context_length" });
  }
  const run = await Promise.race([real.chat.nextRun(), reader.ended]);
  if (Array.isArray(run)) throw new Error(`the model was not asked:\n${reader.text()}`);
  expect(run.request).toMatchObject({ thinking: reply.thinking, model: reply.model });
  expect(run.request.messages.findLast(({ role }) => role === "user")?.content).toBe(
    session.messages.find((message) => message.id === reply.parent)?.parts[0]?.text,
  );
  real.live.set(keyOf(id, reply.id), { reader, run });
  await play(model, real, { session, reply, script });
}

/** True where the answer is one that begins nothing, and it is as expected. */
export async function isAnswered(
  real: RealChat,
  answer: RealAnswer,
  session: ModelSession | null,
  expected: TurnAnswer,
  lastEventId: number | null = null,
): Promise<boolean> {
  switch (expected.kind) {
    case "refused":
      expectRefused(real, answer, expected.refusal);
      return true;
    case "global":
      expect(answer).toMatchObject({ kind: "json", envelope: { code: expected.code } });
      return true;
    case "full": {
      expect(answer).toMatchObject({ kind: "json", envelope: { data: { biz_code: 22 } } });
      const { message } = (answer as { envelope: { data: { biz_data: FullMessage } } }).envelope.data
        .biz_data;
      expect(told(message)).toEqual(modeled(expected.reply));
      real.chat.reached.add("22 RESUME_GOT_FULL_MESSAGE");
      return true;
    }
    case "replay":
      if (session !== null) await expectReplay(real, session, expected.reply, streamOf(answer), lastEventId);
      return true;
    default:
      return false;
  }
}

function streamOf(answer: RealAnswer): EventStreamReader {
  if (answer.kind === "stream") return answer.reader;
  throw new Error(`no stream: ${answer.status} ${JSON.stringify(answer.envelope)}`);
}

/** A stream of a reply that exists tells all of it, and its end where it has ended. */
async function expectReplay(
  real: RealChat,
  session: ModelSession,
  reply: ModelMessage,
  reader: EventStreamReader,
  lastEventId: number | null,
): Promise<void> {
  const ready = await reader.waitForType("ready");
  expect(ready.data).toMatchObject({ request_message_id: reply.parent, response_message_id: reply.id });
  if (reply.status !== "WIP") {
    const { message, closed } = foldOf(await reader.ended);
    expect(closed).not.toBeNull();
    expect(message && toldByStream(message)).toEqual(byStream(reply));
    return;
  }
  const has = real.live.get(keyOf(session.id, reply.id))?.reader.events ?? [];
  const known =
    lastEventId === null ? [] : has.filter((event) => event.id !== null && event.id <= lastEventId);
  if (reply.parts.length > 0)
    await untilShown(reader, (message) => isAsModeled(message, reply), startResponse(foldOf(known)));
  await reader.close();
}

// Feedback is given beside the stream, which tells it as it was when the run began.
const toldByStream = (message: FullMessage["message"]) => ({ ...told(message), feedback: null });
const byStream = (reply: ModelMessage) => ({ ...modeled(reply), feedback: null });

const textsOf = (parts: readonly { type: string; text: unknown }[]): string => JSON.stringify(parts);
const isAsModeled = (message: FullMessage["message"], reply: ModelMessage): boolean =>
  textsOf(told(message).parts) === textsOf(reply.parts);

/** Lets the model say what the script has, waits until that is shown, and ends it. */
export async function play(
  model: ChatModel,
  real: RealChat,
  { session, reply, script }: { session: ModelSession; reply: ModelMessage; script: Script },
): Promise<void> {
  const key = keyOf(session.id, reply.id);
  const live = real.live.get(key);
  if (live === undefined) throw new Error(`${key} does not run`);
  const { reader, run } = live;
  for (const piece of script.pieces) {
    const text = `${real.word()} `;
    if (piece === "THINK") run.think(text);
    else run.say(text);
    say(reply, piece, text);
  }
  if (script.end === "open") {
    if (reply.saidNow) await untilShown(reader, (message) => isAsModeled(message, reply));
    return;
  }
  if (script.end === "stop" || script.end === "length" || script.end === "filter") run.end(script.end);
  else run.fail(script.end);
  await ended(model, real, session, reply, script.end);
}

/** Waits for the end of a reply that runs, tells the model of it, and compares. */
export async function ended(
  model: ChatModel,
  real: RealChat,
  session: ModelSession,
  reply: ModelMessage,
  end: ReplyEnd,
): Promise<void> {
  const key = keyOf(session.id, reply.id);
  const live = real.live.get(key);
  if (live === undefined) throw new Error(`${key} does not run`);
  await live.reader.ended;
  real.live.delete(key);
  endAs(model, session, reply, { reader: live.reader, end });
}

function endAs(
  model: ChatModel,
  session: ModelSession,
  reply: ModelMessage,
  { reader, end }: { reader: EventStreamReader; end: ReplyEnd },
): void {
  const wantsTitle = session.titleType === "WIP";
  const state = foldOf(reader.events);
  const template = state.message === null ? undefined : told(state.message).parts[0]?.text;
  endReply(model, session, reply, end, typeof template === "string" ? template : "");
  expect(state.message && toldByStream(state.message)).toEqual(byStream(reply));
  const failed = reply.status !== "FINISHED" && end !== "length" && end !== "stopped";
  const retry = failed && end !== "filter" && end !== "context_length";
  expect(state.closed).toEqual({ click_behavior: retry ? "retry" : "none" });
  expect(state.finished).toBe(reply.status === "FINISHED");
  expect(state.hint !== null).toBe(failed && end !== "filter");
  expect(state.title).toBe(wantsTitle ? session.title : null);
}
