// A message as Markdown that reads well in any editor: thoughts, words, sources, files, what was thought of it. Pure.
import { type Fragment, isFragment, type SearchResult } from "../conversation/fragment.ts";
import type { Message } from "../conversation/message.ts";
import { linkedCitations } from "../rules/linked-citations.ts";
import type { DocumentTexts } from "./document-texts.ts";
import { enclosed, folded, linkTarget, plainLine, quoted, quotedLines } from "./enclosed-markdown.ts";

/** The minute that was written last: messages follow each other closely, and writing one takes as long as their words. */
let lastMinute = { minute: Number.NaN, text: "" };

/** `2026-03-01 14:05 UTC`, of unix seconds. */
function minuteOf(secs: number): string {
  const minute = Math.floor(secs / 60);
  if (minute !== lastMinute.minute) {
    const moment = new Date(secs * 1000).toISOString();
    lastMinute = { minute, text: `${moment.slice(0, 16).replace("T", " ")} UTC` };
  }
  return lastMinute.text;
}

/** The beginning of a document: what the conversation is called, and its times (unix seconds). */
export function documentHeading(
  session: { title: string | null; inserted_at: number; updated_at: number },
  texts: DocumentTexts,
): string {
  const times = `${texts.begun} ${minuteOf(session.inserted_at)} · ${texts.changed} ${minuteOf(session.updated_at)}`;
  return `# ${plainLine(session.title ?? texts.untitled)}\n\n*${times}*\n`;
}

type Head = Pick<Message, "message_id" | "role" | "inserted_at" | "model">;

/** The heading above a message. */
export function messageHeading(
  message: Head,
  version: { version: number; of: number } | undefined,
  texts: DocumentTexts,
): string {
  const who = message.role === "USER" ? texts.you : texts.assistant;
  const about = [
    minuteOf(message.inserted_at),
    ...(message.model === "" ? [] : [plainLine(message.model)]),
    ...(version === undefined ? [] : [texts.version(version.version, version.of)]),
  ];
  return `## ${message.message_id} · ${who}\n\n*${about.join(" · ")}*`;
}

type Body = Pick<Message, "fragments" | "files" | "status" | "feedback">;

/** What stands below its heading. Its fragments are in memory already. */
export function messageBody(message: Body, texts: DocumentTexts): string {
  const sources = sourcesOf(message.fragments);
  let body = "";
  const add = (part: string): void => {
    if (part !== "") body += body === "" ? part : `\n\n${part}`;
  };
  for (const fragment of message.fragments) add(fragmentAsMarkdown(fragment, sources, texts));
  if (message.files.length > 0)
    add(`**${texts.files}**\n\n${message.files.map((file) => `- ${plainLine(file.file_name)}`).join("\n")}`);
  if (message.status === "WIP") add(`*${texts.running}*`);
  else if (message.status !== "FINISHED") add(`*${texts.stopped}*`);
  const { feedback } = message;
  if (feedback !== null) {
    const said = [feedback.feedback_tag, feedback.description].flatMap((text) =>
      text ? [plainLine(text)] : [],
    );
    add(`*${[feedback.feedback_type === "GOOD" ? texts.good : texts.bad, ...said].join(" · ")}*`);
  }
  return body;
}

/** Addresses of the web by the numbers that an answer cites them by. */
function sourcesOf(fragments: readonly Fragment[]): ReadonlyMap<number, string> {
  const sources = new Map<number, string>();
  for (const fragment of fragments) {
    if (!isFragment(fragment, "SEARCH")) continue;
    for (const { cite_index: index, url } of fragment.results)
      if (index !== null && linkTarget(url) !== null) sources.set(index, url);
  }
  return sources;
}

function fragmentAsMarkdown(
  fragment: Fragment,
  sources: ReadonlyMap<number, string>,
  texts: DocumentTexts,
): string {
  if (isFragment(fragment, "REQUEST")) return quotedLines(fragment.content);
  if (isFragment(fragment, "THINK")) return folded(texts.thought(fragment.elapsed_secs), fragment.content);
  if (isFragment(fragment, "RESPONSE") || isFragment(fragment, "TEMPLATE_RESPONSE"))
    return enclosed(linkedCitations(fragment.content, sources));
  if (isFragment(fragment, "TIP")) return quoted(`*${plainLine(fragment.content)}*`);
  if (isFragment(fragment, "SEARCH") && fragment.results.length > 0)
    return `**${texts.sources}**\n\n${fragment.results.map(sourceLine).join("\n")}`;
  return "";
}

function sourceLine({ cite_index: index, title, url, site_name: site }: SearchResult, place: number): string {
  const target = linkTarget(url);
  const name = plainLine(title === "" ? url : title);
  const link = target === null ? name : `[${name}](${target})`;
  return `${index ?? place + 1}. ${link}${site === null ? "" : ` — ${plainLine(site)}`}`;
}
