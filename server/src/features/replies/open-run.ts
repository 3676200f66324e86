// Opens the run of a reply: one that was just stored, or one that is taken over. Both are what their log says.
import type { ReplyState } from "@plumb/protocol/stream/reply-state";
import type { Locale } from "../../platform/http/request-context.ts";
import { ReplyScreen } from "../moderation/screen-text.ts";
import { createWebSearch } from "../search/web-search.ts";
import { loadMessages } from "../sessions/message-store.ts";
import type { ReplyRow } from "../sessions/reply-store.ts";
import type { LoggedGroup } from "../sessions/stream-log-store.ts";
import type { EarlyCall } from "./early-call.ts";
import { LogAppender } from "./log-appender.ts";
import { modelStep } from "./model-step.ts";
import { promptBranch } from "./prompt-branch.ts";
import { promptStep } from "./prompt-step.ts";
import { readRun } from "./read-run.ts";
import type { ReplyContext } from "./reply-context.ts";
import { ReplyEnding } from "./reply-ending.ts";
import type { FinishReason } from "./reply-events.ts";
import type { ReplyFeed } from "./reply-feed.ts";
import { allWords, titleWords } from "./request-words.ts";
import { type ReplyStep, stepsLeft, type ToolKind } from "./reply-steps.ts";
import { createReplyWriter } from "./reply-writer.ts";
import { ReplyRun } from "./run-reply.ts";
import { searchSteps } from "./search-step.ts";
import { TitleMaker } from "./title-step.ts";

export interface RunOpening {
  reply: ReplyRow;
  epoch: number;
  /** The reply as it stood before this run. */
  before: ReplyState;
  /** What the log holds of this run, in order; at least `ready`. */
  groups: readonly LoggedGroup[];
  /** Ids of the messages from the root to the request. */
  branch: readonly number[];
  /** The session has no title of a finished reply yet. */
  wantsTitle: boolean;
  /** The end is known before the model is asked. */
  decided?: FinishReason | undefined;
  /** The call to the model, where it has begun. */
  early?: EarlyCall | undefined;
  /** Trace id of the request that began the reply; a take-over has none. */
  trace?: string | undefined;
}

/** Synchronous, so that nothing comes between what the feed holds and the run that feeds it. */
export function openRun(context: ReplyContext, opening: RunOpening): { run: ReplyRun; feed: ReplyFeed } {
  const { ports, config, feeds, live, commit, db } = context;
  const { epoch, branch, groups } = opening;
  const { clock, model } = ports;
  const feed = feeds.openLocal(opening.reply.id, opening.before, opening.reply.run_first_id);
  for (const group of groups) feed.publish(group.firstId, group.events);
  const { message, lastEventId } = feed.state;
  if (message === null) throw new Error(`reply ${opening.reply.id} has no message`);

  const logged = readRun(feed.state, groups);
  const reply = { ...opening.reply, produced_ms: logged.producedMs };
  const { trace } = opening;
  const lines = context.log.child({ reply: reply.id, ...(trace === undefined ? {} : { trace }) });
  const loadBranch = async () =>
    promptBranch(db.kysely, ports.objectStore, await loadMessages(db.kysely, reply.session_id, branch));
  const loadPrompt = () => allWords(db.kysely, reply);
  const filter = ports.contentFilter;
  const whenUnknown = config.contentFilter.whenUnknown;
  const searching =
    reply.search_enabled === 1
      ? searchSteps(
          createWebSearch({
            ...context.searching,
            thread: context.searching.thread.forAccount(reply.user_id),
            db,
            clock,
            provider: ports.search,
            model,
            filter,
            lines,
            locale: reply.locale as Locale,
            reply: reply.id,
            modelId: message.model,
            loadBranch,
            loadPrompt,
          }),
        )
      : null;
  const tools: ToolKind[] = searching === null ? [] : [searching.kind];
  const asking = modelStep({ model, reply, loadBranch, tools, early: opening.early });

  const before: ReplyStep[] = searching === null || message.fragments.length > 0 ? [] : [searching.first];
  const left = [...before, ...stepsLeft(message, tools, asking)];
  // What has fragments was let through.
  const screened = filter !== null && message.fragments.length === 0;

  const run = new ReplyRun({
    reply,
    epoch,
    feed,
    clock,
    lines,
    openAppender: (listener) =>
      new LogAppender(commit, { reply: reply.id, epoch, nextId: lastEventId + 1 }, listener),
    writer: createReplyWriter(message, logged.snapshotLogged, logged.growingMs, () => clock.monotonic()),
    ending: new ReplyEnding(endingContext(context), reply, epoch, feed),
    steps: screened ? [promptStep({ filter, whenUnknown, loadPrompt }), ...left] : left,
    openScreen:
      filter === null ? null : (onRefused) => new ReplyScreen(filter, clock, whenUnknown, onRefused),
    title:
      opening.wantsTitle && logged.tail === undefined
        ? new TitleMaker(model, clock, () => titleWords(db.kysely, reply), filter)
        : null,
    decided: logged.tail ?? opening.decided,
    inTail: logged.tail !== undefined,
    onLeft(over, fenced) {
      // A stop may have put another run in the place of this one.
      if (live.get(reply.id) !== over) return;
      feeds.makeRemote(reply.id);
      // Deleted with its session: no log will tell the readers that there is no end.
      if (fenced) void feeds.pull(reply.id);
    },
  });
  live.add(run);
  return { run, feed };
}

/** What storing an end takes, of what a process has. */
export function endingContext({ db, ports, owner, config, log, feeds, live }: ReplyContext) {
  return {
    db,
    clock: ports.clock,
    owner,
    config,
    log,
    classifier: ports.riskClassifier,
    pull: (reply: number) => feeds.pull(reply),
    closing: () => live.closing,
  };
}
