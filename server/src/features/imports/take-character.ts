// The personas that come with an own export, and who speaks in its conversations (wire-contract.md §19.6).
import { randomUUID } from "node:crypto";
import { LIMITS } from "@plumb/protocol/limits";
import type { Locale } from "@plumb/protocol/rules/edition-rules";
import type { HeldJob } from "../../platform/jobs/job-runner.ts";
import type { CharacterRecord, SessionRecord } from "../../ports/conversation-reader.ts";
import { builtInAgent } from "../agents/built-in-agents.ts";
import {
  type CharacterRow,
  countCharacters,
  insertCharacter,
  listOfCharacters,
} from "../agents/character-store.ts";
import { type AgentName, nameAgent } from "../agents/find-agent.ts";
import type { ImportsContext } from "./imports-context.ts";
import { ConversationScreen, screenDeps } from "./screen-messages.ts";

const GENERAL_AGENT = "chat";

/** Ids of the user's personas by what the records name them. */
export type OwnCharacters = ReadonlyMap<string, string>;

/**
 * The id of the user's persona that a record stands for: the one that is there already, by its id or its words, or a new one.
 * Null where there is no room for one more, or where its words must not be said. Throws as ConversationScreen does.
 */
export async function takeCharacter(
  { context, job, locale }: { context: ImportsContext; job: HeldJob; locale: Locale },
  { ref, fields, createdAt, updatedAt }: CharacterRecord,
): Promise<string | null> {
  const { db } = context;
  const userId = job.row.user_id;
  const isIt = (row: CharacterRow): boolean =>
    row.id === ref ||
    Object.entries(fields).every(([name, value]) => row[name as keyof CharacterRow] === value);
  const own = (await listOfCharacters(db.kysely, userId)).find(isIt);
  if (own !== undefined) return own.id;
  const screen = new ConversationScreen(screenDeps({ context, job, locale }), null);
  const words = [fields.name, fields.greeting ?? "", fields.instructions].join("\n\n");
  if (!(await screen.mayBeSaid(words))) return null;
  return db.transaction(async (trx) => {
    if ((await countCharacters(db, trx, userId)) >= LIMITS.charactersMax) return null;
    await job.hold(trx);
    const id = randomUUID();
    await insertCharacter(trx, {
      ...fields,
      id,
      user_id: userId,
      created_at: createdAt,
      updated_at: updatedAt,
    });
    return id;
  });
}

/** Who speaks in the session that becomes of a record: `chat` in place of whom this user has not. */
export async function agentOf(
  { db }: Pick<ImportsContext, "db">,
  { userId, characters }: { userId: string; characters: OwnCharacters },
  { agent, character }: Pick<SessionRecord, "agent" | "character">,
): Promise<AgentName> {
  const id = character === null ? undefined : characters.get(character);
  const own = id === undefined ? null : await nameAgent(db.kysely, userId, id);
  return own ?? { agent: builtInAgent(agent) === null ? GENERAL_AGENT : agent, characterId: null };
}
