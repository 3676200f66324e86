// What is shown when a stream call was refused or lost: kind and code → hint, toast or removal
// (wire-contract.md §18.1–§18.3, §18.11). Keys only; the words are in the locale files.
import type { Quota } from "@plumb/protocol/wire/accounts";
import { Global } from "@plumb/protocol/wire/global-codes";
import { ReplyRefusal } from "@plumb/protocol/wire/replies";
import { TurnRefusal } from "@plumb/protocol/wire/turns";
import type { Hint } from "@plumb/protocol/conversation/message";
import type { ApiError, HttpError, RefusedError } from "../api-errors.ts";
import type { ClientMessage, MessageHint } from "../sessions/client-message.ts";
import type { Text } from "../text.ts";
import { globalText, numberAt, withWait } from "../texts.ts";
import type { TurnPlan } from "./turn-plan.ts";

/**
 * hint: a lasting notice at the message that a retry belongs to, where a new prompt stays; toast: a passing one, nothing
 * of the turn stays and its text is given back; silent: the same without a word.
 */
export type FailureReaction =
  | {
      show: "hint";
      text: Text;
      click: "retry" | "none";
      mutedUntil?: number;
      /** What is left of deep thinking: nothing. */
      quota?: Quota;
      /** So many seconds another try would be refused again; null: not known. */
      waitSecs?: number | null;
      loadHistory?: boolean;
    }
  | {
      show: "toast";
      text: Text;
      type?: "info";
      dropSession?: boolean;
      loadHistory?: boolean;
      dropModel?: boolean;
      dropAgent?: boolean;
    }
  | { show: "silent"; log?: string };

type Scene = TurnPlan["scene"];
type Row = (error: RefusedError, scene: Scene) => FailureReaction;

const hint =
  (text: Text, click: "retry" | "none" = "none"): Row =>
  () => ({ show: "hint", text, click });
const toast =
  (text: Text): Row =>
  () => ({ show: "toast", text });
const invalidSession =
  (text: Text): Row =>
  () => ({ show: "toast", text, dropSession: true });

const newerMessages: Row = () => ({
  show: "toast",
  text: { key: "sessionHasNewerMessages" },
  type: "info",
  loadHistory: true,
});

/** In the edit box the text is there to be mended. */
const emptyPrompt: Row = (error, scene) =>
  (scene === "editMessage" ? toast : hint)({ key: "emptyPrompt" })(error, scene);

const muted: Row = (error) => {
  const until = numberAt(error.data, "mute_until");
  return {
    show: "hint",
    text: { key: "mutedUntil", params: { mute_until: { moment: until } } },
    click: "none",
    mutedUntil: until,
  };
};

const REPLY_RUNS: Text = { key: "lastMessageInProgress" };

/** A reply that this page knows nothing of: the history has it. */
const replyRuns: Row = () => ({
  show: "hint",
  text: REPLY_RUNS,
  click: "retry",
  loadHistory: true,
});

const outOfThinking: Row = ({ data }) => {
  const quota = numberAt(data, "quota");
  return {
    show: "hint",
    text: { key: "thinkingQuotaExceeded", params: { quota } },
    click: "none",
    quota: { quota, used: numberAt(data, "used"), reset_at: numberAt(data, "reset_at") },
  };
};

const rows: [{ code: number; msg: string }, Row][] = [
  [TurnRefusal.IllegalChatSessionId, invalidSession({ key: "chatNotFound" })],
  [TurnRefusal.ChatSessionDeleted, invalidSession({ key: "chatDeleted" })],
  [TurnRefusal.InvalidParams, hint({ key: "invalidParams" })],
  [TurnRefusal.ParentMessageNotAssistant, hint({ key: "invalidParams" })],
  [TurnRefusal.MaxMessageCountReached, hint({ key: "messageLimitReached" })],
  [TurnRefusal.RegenerateOnTemplateResponse, toast({ key: "cannotRegenerate" })],
  [TurnRefusal.RegenerateNotAllowed, toast({ key: "cannotRegenerate" })],
  [TurnRefusal.UserIsMuted, muted],
  [TurnRefusal.EmptyPrompt, emptyPrompt],
  [ReplyRefusal.ResumeMessageNotFound, toast({ key: "invalidRequest" })],
  [ReplyRefusal.ResumeTimeTooLong, toast({ key: "invalidRequest" })],
  [TurnRefusal.InvalidFileReference, toast({ key: "invalidFileReference" })],
  [TurnRefusal.SessionFileLimitReached, toast({ key: "sessionFileLimit" })],
  [TurnRefusal.LastMessageIsWip, replyRuns],
  [TurnRefusal.EditNotAllowed, toast({ key: "editNotAllowed" })],
  [TurnRefusal.ThinkingWithFile, hint({ key: "thinkingWithFile" })],
  [TurnRefusal.ThinkingQuotaExceeded, outOfThinking],
  [TurnRefusal.SearchWithFile, hint({ key: "searchWithFile" })],
  [TurnRefusal.ClientStreamIdReused, toast({ key: "unexpectedRequest3" })],
  [TurnRefusal.InvalidUnicode, hint({ key: "invalidUnicode" })],
  [TurnRefusal.CharacterNotAvailable, hint({ key: "agentNotAvailable" })],
  [
    TurnRefusal.CharacterDeleted,
    () => ({ show: "toast", text: { key: "characterDeleted" }, dropAgent: true }),
  ],
  [TurnRefusal.SearchNotWithCharacter, hint({ key: "searchNotWithCharacter" })],
  [TurnRefusal.MessageIsNotLeaf, toast({ key: "messageIsNotLeaf" })],
  [TurnRefusal.CurrentMessageLocked, toast({ key: "messageLocked" })],
  [TurnRefusal.ParentMessageLocked, toast({ key: "messageLocked" })],
  [TurnRefusal.InvalidParentMessageId, toast({ key: "unexpectedRequest1" })],
  [TurnRefusal.InvalidMessageId, toast({ key: "unexpectedRequest2" })],
  [
    TurnRefusal.ModelNotAvailable,
    () => ({ show: "toast", text: { key: "modelNotAvailable" }, dropModel: true }),
  ],
  [TurnRefusal.SessionHasNewerMessages, newerMessages],
];

const BY_CONSTANT = new Map(rows.map(([{ code, msg }, row]) => [`${code} ${msg}`, row]));
// A constant of a newer server with a known number: the first row of that number is close enough.
const BY_CODE = new Map(rows.toReversed().map(([{ code }, row]) => [code, row]));

/** Global codes that stay at the message with the click given; the others pass as a toast. */
const GLOBAL_HINTS: ReadonlyMap<number, "retry" | "none"> = new Map([
  [Global.IpAccessRestricted.code, "retry"],
  [Global.BotChallenge.code, "retry"],
  [Global.BodyTooLarge.code, "none"],
  [Global.RateLimitReached.code, "retry"],
  [Global.RpdRateLimitReached.code, "retry"],
  [Global.TooManyConcurrentRequests.code, "retry"],
  [Global.ServerBusy.code, "retry"],
  [Global.InternalError.code, "none"],
  [Global.ServiceUnavailable.code, "none"],
  [Global.UserIsMuted.code, "none"],
]);

/** Handled for every call in one place: sign-out, the toast of a refused proof, the phone that is asked for. */
const HANDLED_CENTRALLY = new Set<number>([
  Global.MissingToken.code,
  Global.InvalidToken.code,
  Global.UserIsBanned.code,
  Global.MobileNotVerified.code,
  Global.PowHeaderError.code,
  Global.InvalidPowResponse.code,
]);

function globalReaction(code: number, data: unknown, logId: string): FailureReaction | null {
  if (HANDLED_CENTRALLY.has(code)) return { show: "silent" };
  const text = globalText(code, data, logId);
  if (text === null) return null;
  const click = GLOBAL_HINTS.get(code);
  if (click === undefined) return { show: "toast", text };
  const reaction: FailureReaction = { show: "hint", text, click };
  if (code === Global.UserIsMuted.code) reaction.mutedUntil = numberAt(data, "end_at");
  return reaction;
}

function httpReaction({ status, code, logId, retryAfterSecs }: HttpError): FailureReaction {
  const known = code === null ? null : globalReaction(code, null, logId);
  const waitSecs = status === 429 ? retryAfterSecs : null;
  if (known?.show === "toast") return { ...known, text: withWait(known.text, waitSecs) };
  if (known?.show === "hint") return { ...known, waitSecs };
  if (known !== null) return known;
  if (status === 429) return { show: "hint", text: { key: "rateLimitReached" }, click: "retry", waitSecs };
  if (status >= 500) return { show: "hint", text: { key: "serverUnavailable" }, click: "none" };
  if (status === 413) return { show: "hint", text: { key: "messageTooLong" }, click: "none" };
  return { show: "hint", text: { key: "unexpectedRequest3Code", params: { code: status } }, click: "none" };
}

/** What to do about a refused stream call of this scene. */
export function reactionTo(error: ApiError, scene: Scene): FailureReaction {
  switch (error.kind) {
    case "aborted":
      return { show: "silent" };
    case "network":
      return CONNECTION_LOST;
    case "http":
      return httpReaction(error);
    case "refused": {
      if (error.scope === "global") {
        const reaction = globalReaction(error.code, error.data, error.logId);
        return reaction ?? { show: "silent", log: `global code ${error.code} ${error.msg}` };
      }
      const row = BY_CONSTANT.get(`${error.code} ${error.msg}`) ?? BY_CODE.get(error.code);
      return row ? row(error, scene) : { show: "silent", log: `stream code ${error.code} ${error.msg}` };
    }
  }
}

/** Faults that whoever runs the server can look into. */
const FAULTS = new Set(["serverUnavailable", "replyTimedOut", "unexpectedRequest3Code"]);

function traceOf(text: Text, traceId: string): Pick<MessageHint, "traceId"> {
  return traceId !== "" && "key" in text && FAULTS.has(text.key) ? { traceId } : {};
}

/** A lasting failure as the message carries it. `traceId` is the call's, empty for none; `now` in milliseconds. */
export function errorHint(
  { text, click, waitSecs = null }: FailureReaction & { show: "hint" },
  { now, traceId = "" }: { now: number; traceId?: string },
): MessageHint {
  const retryAt = waitSecs === null ? {} : { retryAt: now + waitSecs * 1000 };
  return { text, type: "error", clickBehavior: click, ...traceOf(text, traceId), ...retryAt };
}

/** A message once no reply runs in its session: where one was in its way, the hint says it of the past. */
export function onceNoneRuns(message: ClientMessage): ClientMessage {
  const { hint } = message;
  if (hint?.text !== REPLY_RUNS) return message;
  return { ...message, hint: { ...hint, text: { key: "messageWasInProgress" } } };
}

/** All attempts to get back to the reply failed. */
export const CONNECTION_LOST: FailureReaction & { show: "hint" } = {
  show: "hint",
  text: { key: "connectionLost" },
  click: "retry",
};

/** No proof of work for the send. */
export const NO_PROOF: FailureReaction & { show: "hint" } = {
  show: "hint",
  text: { key: "networkError" },
  click: "retry",
};

/** Two events before ready that nobody understands. */
export const PROTOCOL_VIOLATION: Text = { key: "protocolViolation" };

const FINISH_REASON_TEXTS: ReadonlyMap<string, Text> = new Map([
  ["input_exceeds_limit", { key: "messageTooLong" }],
  ["context_length_exceeded", { key: "contextLengthExceeded" }],
  ["generation_err", { key: "serverUnavailable" }],
  ["server_busy", { key: "serverBusy" }],
  ["rate_limit_reached", { key: "sendingTooFrequently" }],
  ["timeout", { key: "replyTimedOut" }],
  ["content_filter", { key: "contentFiltered" }],
  ["search_failed", { key: "searchFailed" }],
]);

/** The text of a hint or toast of the stream: by its reason, so that it follows the page's language, else as it came. */
export function finishReasonText(finishReason: string | null | undefined, content: string): Text {
  return FINISH_REASON_TEXTS.get(finishReason ?? "") ?? { content };
}

/** A hint event as the message carries it. `traceId` is that of the stream it came on; `now` in milliseconds. */
export function streamHint(hint: Hint, { now, traceId }: { now: number; traceId: string }): MessageHint {
  const { type, click_behavior: click, retry_after: waitSecs = null } = hint;
  const text = finishReasonText(hint.finish_reason, hint.content);
  return { ...errorHint({ show: "hint", text, click, waitSecs }, { now, traceId }), type };
}
