// How far an import is, and what it has left out: kept in memory until it is stored with what was taken in. Pure.
import { LIMITS } from "@plumb/protocol/limits";
import type { ImportKind, ImportSkip, SkippedSessions } from "@plumb/protocol/wire/imports";
import type { ImportRow } from "./import-store.ts";
import { skippedOf } from "./present-import.ts";

/** Columns of the import's row. */
type Progress = Pick<
  ImportRow,
  "sessions_done" | "sessions_skipped" | "skipped" | "kept_bytes" | "breaks" | "oldest_at"
>;

export class ImportProgress {
  /** What wrote the upload; null until it is known. */
  kind: ImportKind | null;
  #row: Omit<Progress, "skipped">;
  readonly #skipped: SkippedSessions[];

  constructor(row: ImportRow) {
    const { sessions_done, sessions_skipped, kept_bytes, breaks, oldest_at } = row;
    this.#row = { sessions_done, sessions_skipped, kept_bytes, breaks, oldest_at };
    this.#skipped = skippedOf(row);
    this.kind = row.kind as ImportKind | null;
  }

  /** Conversations that are dealt with. */
  get done(): number {
    return this.#row.sessions_done;
  }

  get breaks(): number {
    return this.#row.breaks;
  }

  get keptBytes(): number {
    return this.#row.kept_bytes;
  }

  get oldestAt(): number | null {
    return this.#row.oldest_at;
  }

  get row(): Progress {
    return { ...this.#row, skipped: JSON.stringify(this.#skipped) };
  }

  /** The conversation at this place was taken in. */
  took(place: number, { bytes, updatedAt }: { bytes: number; updatedAt: number }): void {
    const { oldest_at: oldest, kept_bytes: kept } = this.#row;
    this.#row = {
      ...this.#row,
      sessions_done: place,
      kept_bytes: kept + bytes,
      oldest_at: oldest === null ? updatedAt : Math.min(oldest, updatedAt),
    };
  }

  /** It was left out. */
  skipped(place: number, title: string, reason: ImportSkip): void {
    this.#row = { ...this.#row, sessions_done: place, sessions_skipped: this.#row.sessions_skipped + 1 };
    let entry = this.#skipped.find((one) => one.reason === reason);
    if (entry === undefined) {
      entry = { reason, count: 0, titles: [] };
      this.#skipped.push(entry);
    }
    entry.count += 1;
    if (title !== "" && entry.titles.length < LIMITS.importNamed) entry.titles.push(title);
  }

  /** The reader broke down at a conversation. */
  broke(): void {
    this.#row = { ...this.#row, breaks: this.#row.breaks + 1 };
  }
}
