// The work with files: adding, uploading, asking how far the server is, and giving links to them. Few chats have any, so
// its code loads by itself (load-files.ts).
import { branchUsage, budgetOf } from "@plumb/protocol/conversation/token-budget";
import type { FileInfo } from "@plumb/protocol/conversation/file-info";
import { LIMITS } from "@plumb/protocol/limits";
import { EXTENSIONS } from "@plumb/protocol/rules/upload-rules";
import type { ClientSettings } from "@plumb/protocol/wire/site";
import type { StoreApi } from "zustand/vanilla";
import type { AccountPart } from "../accounts/account-lifecycle.ts";
import type { ApiClient } from "../api-client.ts";
import type { Browser, LocalFile } from "../browser.ts";
import type { ProofOfWork } from "../guard/proof-of-work.ts";
import type { Reactions } from "../reactions.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import { nextDraftKey } from "../sessions/edit-drafts.ts";
import { refusalToast } from "../site/toast.ts";
import type { Text } from "../text.ts";
import { attachBlock, filesOfSession, leafOfBranch } from "./attach-rules.ts";
import { acceptFiles } from "./accept-files.ts";
import { checkFiles, type FilesCheck } from "./check-files.ts";
import { readinessOfDraft, storedFile, type DraftFile, type StoredFile } from "./draft-file.ts";
import { createDraftFiles, type FilesState } from "./draft-files.ts";
import { readKeptFiles } from "./kept-files.ts";
import { createFilePoll } from "./poll-files.ts";
import { createPreviewUrls, type PreviewResult } from "./preview-urls.ts";
import { uploadOne } from "./upload-file.ts";
import { createUploadQueue } from "./upload-queue.ts";

export interface FilesDeps {
  browser: Browser;
  api: ApiClient;
  proofs: Pick<ProofOfWork, "once">;
  reactions: Reactions;
  userId(): string | null;
  settings(): ClientSettings | null;
  session(key: string): ClientSession | undefined;
  /** Tokens of the instructions of the chat's persona; 0 without one. */
  personaTokens(key: string): number;
  /** Why nothing can be attached at all now, or the chat cannot be sent to; null where that is not so. */
  busyBlock(key: string): Text | null;
  isThinking(): boolean;
  /** Files go without deep thinking (requirements 1§5). */
  stopThinking(): void;
}

export type FileWork = ReturnType<typeof createFileWork>;

/** A file is uploaded under a name of its own until the server gives it an id. */
let lastRenderKey = 0;

export function createFileWork({ store, ...deps }: FilesDeps & { store: StoreApi<FilesState> }) {
  const { browser, api, reactions } = deps;
  /** What uploads read from; gone with the page. */
  const sources = new Map<string, LocalFile>();
  const limits = () => deps.settings()?.limits;
  const queue = createUploadQueue(() => limits()?.upload_concurrency ?? LIMITS.uploadConcurrency);
  const drafts = createDraftFiles({
    browser,
    store,
    userId: deps.userId,
    onGone(renderKey) {
      if (drafts.keyOf(renderKey) !== undefined) return;
      sources.delete(renderKey);
      queue.cancel(renderKey);
    },
  });
  const previews = createPreviewUrls({ browser, api });
  const poll = createFilePoll({
    browser,
    api,
    everyMs: limits()?.file_poll_ms ?? LIMITS.filePollMs,
    unfinished: () => [...unfinished().keys()],
    onAnswer,
  });

  /** Files at the server without an end, by their id. */
  function unfinished(): Map<string, DraftFile> {
    const all = Object.values(store.getState().byKey).flat();
    return new Map(
      all.flatMap((file) =>
        file.stored !== null && readinessOfDraft(file) === "unfinished" ? [[file.stored.id, file]] : [],
      ),
    );
  }

  function onAnswer(asked: readonly string[], files: readonly FileInfo[]): void {
    const answered = new Map(files.map((info) => [info.id, info]));
    const open = unfinished();
    for (const id of asked) {
      const file = open.get(id);
      if (file?.stored == null) continue;
      const info = answered.get(id);
      const stored: StoredFile =
        info === undefined ? { ...file.stored, status: "system-error-fail" } : storedFile(info);
      drafts.change(file.renderKey, { stored });
    }
  }

  async function upload(renderKey: string, signal: AbortSignal): Promise<void> {
    const file = sources.get(renderKey);
    if (file === undefined) return;
    const running = { percent: 0, isUploading: true, failed: false, failedMsg: null, canRetry: false };
    drafts.change(renderKey, { upload: running });
    const result = await uploadOne({ ...deps, browser, api }, file, {
      signal,
      thinking: deps.isThinking(),
      onPercent: (percent) => drafts.change(renderKey, { upload: { ...running, percent } }),
    });
    if (result.kind === "cancelled") return;
    if (result.kind === "stored") {
      const { info } = result;
      sources.delete(renderKey);
      drafts.change(renderKey, {
        fileName: info.file_name,
        fileSize: info.file_size,
        upload: null,
        stored: storedFile(info),
      });
      return poll.wake();
    }
    const { text: failedMsg, canRetry, toast } = result;
    if (toast != null) reactions.toast(refusalToast("error", toast));
    drafts.change(renderKey, {
      upload: { percent: 0, isUploading: false, failed: true, failedMsg, canRetry },
    });
  }

  function enqueue(renderKey: string): void {
    queue.add(renderKey, (signal) => upload(renderKey, signal));
  }

  /** Tokens that a branch of the chat may have: what its persona is told takes its part of every request. */
  function budget(key: string): number {
    return (limits()?.token_budget ?? LIMITS.tokenBudget) - deps.personaTokens(key);
  }

  /** Why nothing can be attached to the draft under `key` now; null where it can. */
  function block(key: string): Text | null {
    const session = deps.session(key);
    const drafted = drafts.of(key).reduce((sum, { stored }) => sum + (stored?.tokenUsage ?? 0), 0);
    return (
      deps.busyBlock(key) ??
      attachBlock({
        count: filesOfSession(session).size + drafts.of(key).length,
        maxFiles: limits()?.max_files_per_session ?? LIMITS.filesPerSession,
        tokens: branchUsage(leafOfBranch(session)) + drafted,
        budget: budget(key),
      })
    );
  }

  /** Adds files to the draft under `key` and uploads them; what cannot be added is said. */
  function add(key: string, chosen: readonly LocalFile[]): void {
    if (chosen.length === 0) return;
    const blocked = block(key);
    if (blocked !== null) {
      reactions.toast(refusalToast("info", blocked));
      return;
    }
    const present = filesOfSession(deps.session(key)).size + drafts.of(key).length;
    const { files, refusals } = acceptFiles(chosen, present, {
      maxFiles: limits()?.max_files_per_session ?? LIMITS.filesPerSession,
      maxBytes: limits()?.max_file_bytes ?? LIMITS.fileBytes,
      extensions: limits()?.extensions ?? EXTENSIONS,
    });
    refusals.forEach((text) => reactions.toast({ type: "error", text }));
    if (files.length === 0) return;
    deps.stopThinking();
    const added = files.map((file): DraftFile => {
      const renderKey = `local-${++lastRenderKey}-${browser.now()}`;
      sources.set(renderKey, file);
      return {
        renderKey,
        fileName: file.name,
        fileSize: file.size,
        upload: { percent: 0, isUploading: false, failed: false, failedMsg: null, canRetry: false },
        stored: null,
        sent: "no",
      };
    });
    drafts.put(key, [...drafts.of(key), ...added]);
    added.forEach(({ renderKey }) => enqueue(renderKey));
  }

  function remove(key: string, renderKey: string): void {
    drafts.put(
      key,
      drafts.of(key).filter((file) => file.renderKey !== renderKey),
    );
  }

  function retry(renderKey: string): void {
    if (!sources.has(renderKey)) return;
    drafts.change(renderKey, {
      upload: { percent: 0, isUploading: false, failed: false, failedMsg: null, canRetry: false },
    });
    enqueue(renderKey);
  }

  /** Whether these files may go with a message from `key`. */
  function check(key: string, files: readonly DraftFile[]): FilesCheck {
    return checkFiles(files, {
      used: branchUsage(leafOfBranch(deps.session(key))),
      budget: Math.min(budget(key), budgetOf(false)),
    });
  }

  /** Files that stand in a message of the session have arrived. */
  function dropArrived(key: string): void {
    const arrived = filesOfSession(deps.session(key));
    for (const draft of [key, nextDraftKey(key)]) {
      const files = drafts.of(draft);
      const left = files.filter(({ stored, sent }) => sent === "now" || !arrived.has(stored?.id ?? ""));
      if (left.length < files.length) drafts.put(draft, left);
    }
  }

  async function preview(fileId: string, options?: { fresh?: boolean }): Promise<PreviewResult> {
    const result = await previews.get(fileId, options);
    if (!result.ok && result.error.kind !== "aborted") {
      reactions.toast({ type: "error", text: { key: "previewFailed" }, dedupeKey: "preview" });
    }
    return result;
  }

  return {
    moves: drafts.moves,
    add,
    remove,
    retry,
    block,
    check,
    dropArrived,
    preview,
    /** What this user had attached shows again; whether it is still there is asked. */
    open(userId: string): void {
      const kept = readKeptFiles(browser, userId);
      store.setState(({ byKey }) => ({ byKey: { ...kept, ...byKey }, places: {} }));
      poll.wake({ atOnce: true });
    },
    clear(options: Parameters<AccountPart["clear"]>[0]): void {
      poll.stop();
      drafts.clear(options);
      queue.clear();
      sources.clear();
      previews.clear();
    },
    stop(): void {
      poll.stop();
      drafts.stop();
      queue.clear();
    },
  };
}
