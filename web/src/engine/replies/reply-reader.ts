// What reads the body of a reply loads when somebody touches the page, or beside the first request: the first picture of a
// chat does without it.
import type { readReplyBody } from "./read-reply-body.ts";

type ReadReplyBody = typeof readReplyBody;

export interface ReplyReader {
  /** What reads a body: at once where it is here, null where it could not be had. Asked again, it tries again. */
  get(): ReadReplyBody | Promise<ReadReplyBody | null>;
}

/** `load` brings the code. */
export function createReplyReader(load: () => Promise<{ readReplyBody: ReadReplyBody }>): ReplyReader {
  let here: ReadReplyBody | null = null;
  let loading: Promise<ReadReplyBody | null> | null = null;

  async function bring(): Promise<ReadReplyBody | null> {
    try {
      here = (await load()).readReplyBody;
    } catch {
      loading = null;
    }
    return here;
  }
  return { get: () => here ?? (loading ??= bring()) };
}

/** That of this page. */
export const replyReader = createReplyReader(() => import("./read-reply-body.ts"));
