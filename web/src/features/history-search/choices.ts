// What the dialog offers, in groups: the app's commands, chats by name, messages. Pure.
import type { SearchHit } from "@plumb/protocol/wire/history";
import type { Session } from "@plumb/protocol/wire/sessions";
import type { HistorySearchState } from "../../engine/history-search/create-history-search.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import type { Command } from "./commands.ts";

export type Choice =
  | { kind: "command"; id: string; isGrave: boolean; command: Command }
  | { kind: "hit"; id: string; hit: SearchHit };

export interface ChoiceGroup {
  heading: TextKey;
  choices: Choice[];
}

/** So many of the newest chats stand under an empty field. */
const MOST_RECENT = 8;
/** Beyond it stand letters of which words are written without spaces. */
const LAST_LATIN = 0x24f;

function hitChoice(hit: SearchHit): Choice {
  return { kind: "hit", id: `${hit.chat_session.id}-${hit.message_id ?? "title"}`, hit };
}

function asHit(session: Session): SearchHit {
  const { title, updated_at: inserted_at } = session;
  return {
    chat_session: session,
    message_id: null,
    role: null,
    snippet: title ?? "",
    ranges: [],
    inserted_at,
  };
}

/** All commands, or those in whose name a word begins with each word of the query. */
function matchingCommands(commands: readonly Command[], query: string): Command[] {
  const parts = query.toLowerCase().split(/\s+/u);
  return commands.filter(({ label }) => {
    const name = label.toLowerCase();
    const words = name.split(/[\s:：]+/u);
    return parts.every(
      (part) =>
        words.some((word) => word.startsWith(part)) ||
        (part.charCodeAt(0) > LAST_LATIN && name.includes(part)),
    );
  });
}

/**
 * The groups that are not empty. Under a query the commands stand first, where what comes later moves none of them; hits of
 * later pages stand below, in the order in which they come.
 */
export function choiceGroups(
  { typed, phase, hits, firstPage }: HistorySearchState,
  recent: readonly Session[],
  commands: readonly Command[],
): ChoiceGroup[] {
  const query = typed.trim();
  const asChoices = (matching: readonly Command[]): Choice[] =>
    matching.map((command) => ({
      kind: "command",
      id: command.id,
      isGrave: command.isGrave === true,
      command,
    }));
  const first = hits.slice(0, firstPage);
  const groups: ChoiceGroup[] =
    phase === "nothing"
      ? [
          { heading: "find.recent", choices: recent.slice(0, MOST_RECENT).map(asHit).map(hitChoice) },
          { heading: "find.commands", choices: asChoices(commands) },
        ]
      : [
          { heading: "find.commands", choices: asChoices(matchingCommands(commands, query)) },
          {
            heading: "find.chats",
            choices: first.filter((hit) => hit.message_id === null).map(hitChoice),
          },
          {
            heading: "find.messages",
            choices: first.filter((hit) => hit.message_id !== null).map(hitChoice),
          },
          { heading: "find.earlier", choices: hits.slice(firstPage).map(hitChoice) },
        ];
  return groups.filter(({ choices }) => choices.length > 0);
}
