// The announcement at the top of the page (wire-contract.md §6.6).
import { readFileSync } from "node:fs";
import { readBanner } from "@plumb/protocol/rules/banner-rules";
import { parseJson } from "@plumb/protocol/wire/json";
import type { Banner } from "@plumb/protocol/wire/site";
import { clearBanner, findBanner, setBanner } from "../features/site/banner-store.ts";
import { messageOf } from "../platform/error-words.ts";
import { StartError } from "../platform/start-error.ts";
import type { Operation } from "./account-commands.ts";

export async function showBanner({ db, out }: Operation): Promise<void> {
  const banner = await findBanner(db.kysely);
  out(banner === null ? "There is no announcement." : JSON.stringify(banner, null, 2));
}

/**
 * `text` is what everybody reads, in every language; or @FILE, a document as §6.6 has it. Those who have closed an earlier
 * one see it, since it has a new id.
 */
export async function announce({ db, out, nowMs }: Operation, text: string): Promise<void> {
  const banner = text.startsWith("@") ? fromFile(text.slice(1), nowMs) : plain(text, nowMs);
  await setBanner(db.kysely, banner, nowMs);
  out("The announcement is set.");
}

export async function removeBanner({ db, out }: Operation): Promise<void> {
  await clearBanner(db.kysely);
  out("There is no announcement any more.");
}

function plain(text: string, nowMs: number): Banner {
  if (text.trim() === "") throw new StartError("The announcement has no words.");
  const content = { en_US: text, zh_CN: text };
  return { id: String(nowMs), items: [{ show: true, type: "info", closable: true, content }] };
}

/** A document without an id gets one. */
function fromFile(file: string, nowMs: number): Banner {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  const parsed = parseJson(text);
  if (!parsed.ok) throw new StartError(`${file} is no JSON.`);
  const document = { id: String(nowMs), ...(parsed.value as object) };
  const banner = readBanner(document);
  if (banner === null)
    throw new StartError(
      `${file} is no announcement: it takes "items", each with "show", "type" (info, warning or error), "closable" and ` +
        `"content", a text for each language.`,
    );
  return banner;
}
