// A conversation as a file, piece by piece: no more than a message of it is a text of its own at a time. Pure.
import type { Message } from "@plumb/protocol/conversation/message";
import { versionsOf } from "@plumb/protocol/documents/branch-order";
import { documentTexts } from "@plumb/protocol/documents/document-texts";
import { plainLine } from "@plumb/protocol/documents/enclosed-markdown";
import { documentHeading, messageBody, messageHeading } from "@plumb/protocol/documents/message-markdown";
import { safeName } from "@plumb/protocol/documents/safe-name";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { History } from "@plumb/protocol/wire/sessions";

export type FileForm = "markdown" | "json";

/** What is saved: its pieces follow each other. */
export interface TextFile {
  name: string;
  /** The media type. */
  type: string;
  parts: string[];
}

type Conversation = Pick<History, "chat_session" | "chat_messages">;

const FORMS = {
  markdown: { ending: "md", type: "text/markdown;charset=utf-8" },
  json: { ending: "json", type: "application/json" },
} as const;

/** The file without its pieces. */
export function emptyFile(title: string | null, form: FileForm, locale: Locale): TextFile {
  const { ending, type } = FORMS[form];
  const { untitled } = documentTexts(locale);
  return { name: `${safeName(title ?? "", untitled)}.${ending}`, type, parts: [] };
}

/** All of it, as `sessions.json` of an archive has it: a list, of this one (wire-contract.md §14). */
export function* jsonParts({
  chat_session: session,
  chat_messages: messages,
}: Conversation): Generator<string> {
  yield `[\n{"chat_session":${JSON.stringify(session)},"chat_messages":[`;
  for (const [index, message] of messages.entries())
    yield `${index > 0 ? "," : ""}${JSON.stringify(message)}`;
  yield "]}\n]\n";
}

/** The messages with these ids, in this order: the branch that its reader sees. */
export function* markdownParts(
  { chat_session: session, chat_messages: messages }: Conversation,
  { ids, locale }: { ids: readonly number[]; locale: Locale },
): Generator<string> {
  const texts = documentTexts(locale);
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  const versions = versionsOf(messages);
  yield documentHeading(session, texts);
  for (const id of ids) {
    const message = byId.get(id);
    if (message === undefined) continue;
    yield `\n${messageHeading(message, versions.get(id), texts)}\n\n${messageBody(message, texts)}\n`;
  }
}

/** A message alone, under what its conversation is called. */
export function messageMarkdown(title: string | null, message: Message, locale: Locale): string {
  const texts = documentTexts(locale);
  const heading = messageHeading(message, undefined, texts);
  return `# ${plainLine(title ?? texts.untitled)}\n\n${heading}\n\n${messageBody(message, texts)}\n`;
}
