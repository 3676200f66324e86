// Asking the server for news, of which nothing else tells a page.
import type { ApiError } from "./api-errors.ts";

/** What became of one asking. "nothing": there was nothing to ask for. */
export type Asked = { outcome: "answered" | "nothing" } | { outcome: "failed"; error?: ApiError };
