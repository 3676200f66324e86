// Pure: what stands in a session and what is asked → a plan, or the refusal of wire-contract.md §11.2–§11.5 in its order.
import { LIMITS } from "@plumb/protocol/limits";
import { isBlankPrompt, isUsableUnicode } from "@plumb/protocol/rules/prompt-rules";
import { DEFAULT_MODEL, TurnRefusal } from "@plumb/protocol/wire/turns";
import type { RefusalCode } from "@plumb/protocol/wire/call";
import type { StoppedReply, TurnMessage, TurnState } from "./turn-state.ts";

interface Modes {
  thinking: boolean;
  search: boolean;
}

/** How the model is asked for. `model` null, "" or "default" = the default one. */
interface Wishes extends Modes {
  model: string | null;
}

export type TurnRequest =
  | ({
      kind: "completion";
      parentId: number | null;
      prompt: string;
      fileIds: readonly string[];
      /** Greatest message id of the session that the caller has seen; null = not told. */
      knownLastMessageId: number | null;
    } & Wishes)
  | ({ kind: "regenerate"; childId: number } & Wishes)
  | ({ kind: "edit"; messageId: number; prompt: string } & Wishes)
  | { kind: "continue"; messageId: number };

export interface TurnLimits {
  maxMessages: number;
  /** Bytes of prompts and answers that a session may hold. */
  maxBytes: number;
  searchAvailable: boolean;
  /** Ids of the models that may be chosen besides the default one. */
  models: readonly string[];
}

/** `model` is the id of an offered one, "" for the default one. */
export type DecidedTurn =
  /** A new user message under `parentId` and its reply. */
  | {
      kind: "ask";
      parentId: number | null;
      prompt: string;
      fileIds: readonly string[];
      modes: Modes;
      model: string;
      remove: number[];
    }
  /** A new reply under a user message that is there. */
  | { kind: "answer"; requestId: number; modes: Modes; model: string; remove: number[] }
  /** The same reply goes on. */
  | { kind: "go-on"; requestId: number; stopped: StoppedReply };

export type TurnDecision = { ok: true; turn: DecidedTurn } | { ok: false; refusal: RefusalCode };

const refuse = (refusal: RefusalCode): TurnDecision => ({ ok: false, refusal });

/** What is done of a request, or the first refusal in the order of the contract. */
export function decideTurn(
  state: Omit<TurnState, "seqId" | "runningReplies">,
  request: TurnRequest,
  limits: TurnLimits,
): TurnDecision {
  const { session, messages } = state;
  if (state.agent === null) {
    return refuse(
      session.character_id === null ? TurnRefusal.CharacterNotAvailable : TurnRefusal.CharacterDeleted,
    );
  }
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  const running = messages.find((message) => message.role === "ASSISTANT" && message.status === "WIP");
  switch (request.kind) {
    case "completion":
      return decideCompletion(state, byId, running, request, limits);
    case "regenerate":
      return decideRegenerate(state, byId, running, request, limits);
    case "edit":
      return decideEdit(state, byId, running, request, limits);
    case "continue":
      return decideContinue(state, byId, running, request);
  }
}

type State = Parameters<typeof decideTurn>[0];
type ById = ReadonlyMap<number, TurnMessage>;
type Of<K extends TurnRequest["kind"]> = Extract<TurnRequest, { kind: K }>;

function decideCompletion(
  state: State,
  byId: ById,
  running: TurnMessage | undefined,
  request: Of<"completion">,
  limits: TurnLimits,
): TurnDecision {
  const { messages } = state;
  const { parentId, prompt } = request;
  const fileIds = [...new Set(request.fileIds)];
  const parent = parentId === null ? null : byId.get(parentId);
  if (parent === undefined) return refuse(TurnRefusal.InvalidParentMessageId);
  if (parent !== null && parent.role !== "ASSISTANT") return refuse(TurnRefusal.ParentMessageNotAssistant);
  const remove = deadRequests(messages, parentId);
  if (isFull(state, limits, 2 - remove.length, prompt)) return refuse(TurnRefusal.MaxMessageCountReached);
  if (running !== undefined) {
    return refuse(
      running.message_id === parentId ? TurnRefusal.ParentMessageLocked : TurnRefusal.LastMessageIsWip,
    );
  }
  const known = request.knownLastMessageId;
  if (known !== null && messages.some((message) => message.message_id > known)) {
    return refuse(TurnRefusal.SessionHasNewerMessages);
  }
  if (!isUsableUnicode(prompt)) return refuse(TurnRefusal.InvalidUnicode);
  const hasFiles = fileIds.length > 0;
  if (isBlankPrompt(prompt) && !hasFiles) return refuse(TurnRefusal.EmptyPrompt);
  const unfit = refuseModes(state, request, hasFiles);
  if (unfit !== null) return refuse(unfit);
  if (!fileIds.every((id) => isReady(state, id))) return refuse(TurnRefusal.InvalidFileReference);
  if (hasTooManyFiles(messages, remove, fileIds)) return refuse(TurnRefusal.SessionFileLimitReached);
  const model = chosenModel(request, limits);
  if (model === null) return refuse(TurnRefusal.ModelNotAvailable);
  const modes = servedModes(request, limits);
  return { ok: true, turn: { kind: "ask", parentId, prompt, fileIds, modes, model, remove } };
}

function decideRegenerate(
  state: State,
  byId: ById,
  running: TurnMessage | undefined,
  request: Of<"regenerate">,
  limits: TurnLimits,
): TurnDecision {
  const child = byId.get(request.childId);
  if (child?.role !== "ASSISTANT" || child.parent_id === null) return refuse(TurnRefusal.InvalidMessageId);
  if (running !== undefined) {
    if (running === child) return refuse(TurnRefusal.CurrentMessageLocked);
    if (running.parent_id === child.parent_id) return refuse(TurnRefusal.ParentMessageLocked);
    return refuse(TurnRefusal.LastMessageIsWip);
  }
  if (child.isTemplate) return refuse(TurnRefusal.RegenerateOnTemplateResponse);
  if (
    child.ban_regenerate ||
    child.status === "CONTENT_FILTER" ||
    child.status === "CONTEXT_LENGTH_EXCEEDED"
  ) {
    return refuse(TurnRefusal.RegenerateNotAllowed);
  }
  const remove = deadReplies(state.messages, child.parent_id);
  if (isFull(state, limits, 1 - remove.length)) return refuse(TurnRefusal.MaxMessageCountReached);
  const unfit = refuseModes(state, request, (byId.get(child.parent_id)?.fileIds.length ?? 0) > 0);
  if (unfit !== null) return refuse(unfit);
  const model = chosenModel(request, limits);
  if (model === null) return refuse(TurnRefusal.ModelNotAvailable);
  const modes = servedModes(request, limits);
  return { ok: true, turn: { kind: "answer", requestId: child.parent_id, modes, model, remove } };
}

function decideEdit(
  state: State,
  byId: ById,
  running: TurnMessage | undefined,
  request: Of<"edit">,
  limits: TurnLimits,
): TurnDecision {
  const message = byId.get(request.messageId);
  if (message?.role !== "USER") return refuse(TurnRefusal.InvalidMessageId);
  if (message.ban_edit) return refuse(TurnRefusal.EditNotAllowed);
  const remove = deadRequests(state.messages, message.parent_id);
  if (isFull(state, limits, 2 - remove.length, request.prompt)) {
    return refuse(TurnRefusal.MaxMessageCountReached);
  }
  if (running !== undefined) {
    return refuse(
      running.parent_id === message.message_id
        ? TurnRefusal.CurrentMessageLocked
        : TurnRefusal.LastMessageIsWip,
    );
  }
  if (!isUsableUnicode(request.prompt)) return refuse(TurnRefusal.InvalidUnicode);
  if (isBlankPrompt(request.prompt)) return refuse(TurnRefusal.EmptyPrompt);
  const { fileIds } = message;
  const unfit = refuseModes(state, request, fileIds.length > 0);
  if (unfit !== null) return refuse(unfit);
  if (hasTooManyFiles(state.messages, remove, fileIds)) return refuse(TurnRefusal.SessionFileLimitReached);
  const model = chosenModel(request, limits);
  if (model === null) return refuse(TurnRefusal.ModelNotAvailable);
  const modes = servedModes(request, limits);
  return {
    ok: true,
    turn: { kind: "ask", parentId: message.parent_id, prompt: request.prompt, fileIds, modes, model, remove },
  };
}

function decideContinue(
  state: State,
  byId: ById,
  running: TurnMessage | undefined,
  request: Of<"continue">,
): TurnDecision {
  const message = byId.get(request.messageId);
  if (message?.role !== "ASSISTANT" || message.parent_id === null)
    return refuse(TurnRefusal.InvalidMessageId);
  const isLeaf = state.messages.every((other) => other.parent_id !== message.message_id);
  if (!isLeaf || (message.status !== "INCOMPLETE" && message.status !== "WIP")) {
    return refuse(TurnRefusal.MessageIsNotLeaf);
  }
  if (message.status === "WIP") return refuse(TurnRefusal.CurrentMessageLocked);
  if (running !== undefined) return refuse(TurnRefusal.LastMessageIsWip);
  const { stopped } = state;
  if (stopped === null) return refuse(TurnRefusal.InvalidMessageId);
  // Its title and close are still to come.
  if (stopped.inTail) return refuse(TurnRefusal.CurrentMessageLocked);
  return { ok: true, turn: { kind: "go-on", requestId: message.parent_id, stopped } };
}

/** True for a file of the caller's that has a text. */
function isReady({ files }: State, id: string): boolean {
  return files.some((file) => file.id === id && file.status === "SUCCESS");
}

/** True where the session would have messages with too many files in all; those of messages that go do not count. */
function hasTooManyFiles(
  messages: readonly TurnMessage[],
  remove: readonly number[],
  fileIds: readonly string[],
): boolean {
  const staying = messages.filter((message) => !remove.includes(message.message_id));
  const all = new Set([...staying.flatMap((message) => message.fileIds), ...fileIds]);
  return all.size > LIMITS.filesPerSession;
}

/** True where `more` messages, fewer where the turn removes some, and the prompt have no room in the session. */
function isFull({ messages, bytes }: State, limits: TurnLimits, more: number, prompt = ""): boolean {
  return messages.length + more > limits.maxMessages || bytes + Buffer.byteLength(prompt) > limits.maxBytes;
}

/** Neither mode goes with files, nor search with a persona (wire-contract.md §11.2: 13, 17, 21). */
function refuseModes({ session }: State, asked: Modes, hasFiles: boolean): RefusalCode | null {
  if (asked.thinking) return hasFiles ? TurnRefusal.ThinkingWithFile : null;
  if (!asked.search) return null;
  if (hasFiles) return TurnRefusal.SearchWithFile;
  return session.character_id === null ? null : TurnRefusal.SearchNotWithCharacter;
}

/** What is done of what was asked: thinking wins over search, and search is off where it is not offered (wire-contract.md §11.2). */
function servedModes({ thinking, search }: Modes, { searchAvailable }: TurnLimits): Modes {
  return { thinking, search: search && !thinking && searchAvailable };
}

/** The id of the model that is asked for, "" for the default one; null for one that is not offered. */
function chosenModel({ model }: Wishes, { models }: TurnLimits): string | null {
  if (model === null || model === "" || model === DEFAULT_MODEL) return "";
  return models.includes(model) ? model : null;
}

/** Empty failed replies under a request, which a new reply replaces (wire-contract.md §17.2). One that was answered under stays. */
function deadReplies(messages: readonly TurnMessage[], requestId: number): number[] {
  const parents = new Set(messages.map((message) => message.parent_id));
  return messages
    .filter(
      (message) =>
        message.parent_id === requestId &&
        message.role === "ASSISTANT" &&
        message.status !== "FINISHED" &&
        message.status !== "WIP" &&
        !message.hasText &&
        !parents.has(message.message_id),
    )
    .map((message) => message.message_id);
}

/** Requests under `parentId` all of whose replies are such, with these replies. */
function deadRequests(messages: readonly TurnMessage[], parentId: number | null): number[] {
  return messages
    .filter((message) => message.role === "USER" && message.parent_id === parentId)
    .flatMap((message) => {
      const replies = messages.filter((other) => other.parent_id === message.message_id);
      const dead = deadReplies(messages, message.message_id);
      return dead.length === replies.length ? [message.message_id, ...dead] : [];
    });
}
