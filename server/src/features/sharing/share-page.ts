// What the server itself writes into the page of a share: a title for previews of its link, a word to robots, the first
// question for who waits for the script, and a way to read it without scripts (wire-contract.md §6.7).
import { type Fragment, isFragment } from "@plumb/protocol/conversation/fragment";
import { firstCodePoints } from "@plumb/protocol/rules/code-points";
import { oneLine } from "@plumb/protocol/rules/one-line";
import type { Database } from "../../platform/database/database.ts";
import type { OwnPage } from "../../platform/http/own-pages.ts";
import { escapeHtml } from "../../platform/http/escape-html.ts";
import { Refusal } from "../../platform/refusal.ts";
import { fileIdsOf } from "../sessions/message-store.ts";
import { isShareId } from "./share-id.ts";
import { listSharedHeads, loadShared } from "./share-messages-store.ts";
import { requireOpenShare } from "./share-of-reader.ts";
import type { ShareRow } from "./share-store.ts";
import { shareText } from "./share-text.ts";

const PATH = /^\/share\/([^/]+)\/?$/u;
const DESCRIPTION_CHARS = 200;
/** A longer first message is not written into the page, nor described: it would be read whole for its first words. */
const WRITTEN_BYTES = 16 * 1024;

const robots = '<meta name="robots" content="noindex, nofollow" />';

/** True for the path of what can be a share. */
export function isSharePath(path: string): boolean {
  return isShareId(PATH.exec(path)?.[1] ?? "");
}

/** The page of such a path. Writes nothing. */
export async function sharePage(
  { db, brandName }: { db: Database; brandName: string },
  { path, query }: { path: string; query: string },
): Promise<OwnPage> {
  const id = PATH.exec(path)?.[1] ?? "";
  const share = await openShare(db, id);
  if (query === "text")
    return share === null ? { kind: "missing" } : { kind: "text", pieces: await shareText(db, share) };
  if (share === null)
    return {
      kind: "parts",
      title: brandName,
      head: robots,
      opening: null,
      noscript: "<p>This shared chat is not available. 分享的对话不可用。</p>",
    };
  // As the page names its tab once its script runs.
  const title = `${share.title ?? "Shared chat"} - ${brandName}`;
  const first = await firstMessage(db, share);
  const description = firstCodePoints(oneLine(first?.question ?? ""), DESCRIPTION_CHARS);
  const about = {
    "og:type": "article",
    "og:site_name": brandName,
    "og:title": share.title ?? "Shared chat",
    ...(description === "" ? {} : { "og:description": description }),
  };
  const head = [
    robots,
    ...(description === "" ? [] : [`<meta name="description" content="${escapeHtml(description)}" />`]),
    ...Object.entries(about).map(
      ([name, value]) => `<meta property="${name}" content="${escapeHtml(value)}" />`,
    ),
    '<meta name="twitter:card" content="summary" />',
    `<link rel="alternate" type="text/plain" href="/share/${id}?text" />`,
  ].join("");
  const noscript = `<p><a href="/share/${id}?text">Read this shared chat as plain text. 以纯文本阅读分享的对话。</a></p>`;
  // Of files only the names are known here, not how they are drawn.
  const opening = first === null || first.hasFiles ? null : { title: share.title, question: first.question };
  return { kind: "parts", title, head, noscript, opening };
}

async function openShare(db: Database, id: string): Promise<ShareRow | null> {
  try {
    return await requireOpenShare(db.kysely, id);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** What was asked first; null where that is not read. */
async function firstMessage(
  db: Database,
  share: ShareRow,
): Promise<{ question: string; hasFiles: boolean } | null> {
  const [head] = await listSharedHeads(db.kysely, share.id, 1);
  if (head === undefined || head.bytes > WRITTEN_BYTES) return null;
  const [row] = await loadShared(db.kysely, share.id, [head.message_id]);
  const fragments = JSON.parse(row?.fragments ?? "[]") as Fragment[];
  const asked = fragments.find((part) => isFragment(part, "REQUEST"));
  return asked === undefined ? null : { question: asked.content, hasFiles: fileIdsOf(head).length > 0 };
}
