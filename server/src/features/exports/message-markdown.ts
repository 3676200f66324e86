// A message as Markdown that reads well in any editor: thoughts, words, sources, files, what was thought of it. Pure.
import { type Fragment, isFragment, type SearchResult } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import { enclosed, linkTarget, plainLine, quoted, quotedLines } from "./enclosed-markdown.ts";
import type { ExportTexts } from "./export-texts.ts";

/** `2026-03-01 14:05 UTC`, of unix seconds. */
export function minuteOf(secs: number): string {
  return `${new Date(secs * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

type Head = Pick<Message, "message_id" | "role" | "inserted_at" | "model">;

/** The heading above a message. */
export function messageHeading(
  message: Head,
  version: { version: number; of: number } | undefined,
  texts: ExportTexts,
): string {
  const who = message.role === "USER" ? texts.you : texts.assistant;
  const about = [
    minuteOf(message.inserted_at),
    ...(message.model === "" ? [] : [plainLine(message.model)]),
    ...(version === undefined ? [] : [texts.version(version.version, version.of)]),
  ];
  return `## ${message.message_id} · ${who}\n\n*${about.join(" · ")}*`;
}

/** What stands below its heading. Its fragments are in memory already. */
export function messageBody(message: Message, texts: ExportTexts): string {
  const parts = message.fragments.map((fragment) => fragmentAsMarkdown(fragment, texts));
  if (message.files.length > 0)
    parts.push(
      `**${texts.files}**\n\n${message.files.map((file) => `- ${plainLine(file.file_name)}`).join("\n")}`,
    );
  if (message.status === "WIP") parts.push(`*${texts.running}*`);
  else if (message.status !== "FINISHED") parts.push(`*${texts.stopped}*`);
  const { feedback } = message;
  if (feedback !== null) {
    const said = [feedback.feedback_tag, feedback.description].flatMap((text) =>
      text ? [plainLine(text)] : [],
    );
    parts.push(`*${[feedback.feedback_type === "GOOD" ? texts.good : texts.bad, ...said].join(" · ")}*`);
  }
  return parts.filter((part) => part !== "").join("\n\n");
}

function fragmentAsMarkdown(fragment: Fragment, texts: ExportTexts): string {
  if (isFragment(fragment, "REQUEST")) return quotedLines(fragment.content);
  if (isFragment(fragment, "THINK"))
    return quoted(`**${texts.thought(fragment.elapsed_secs)}**\n\n${fragment.content}`);
  if (isFragment(fragment, "RESPONSE") || isFragment(fragment, "TEMPLATE_RESPONSE"))
    return enclosed(fragment.content);
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
