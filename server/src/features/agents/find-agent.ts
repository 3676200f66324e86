// Who a user can speak to: the agents that everybody has, and the user's own personas.
import type { Queryable } from "../../platform/database/database.ts";
import { type Agent, builtInAgent } from "./built-in-agents.ts";
import { findCharacter } from "./character-store.ts";

/** What a session names its agent by. */
export interface AgentName {
  /** `character` for a persona. */
  agent: string;
  characterId: string | null;
}

/** The agent of every session with a persona (wire-contract.md §3.2). */
const CHARACTER = "character";

/** The name for what a call asks for: an agent's id or a persona's. Null when the user has no such agent. */
export async function nameAgent(q: Queryable, userId: string, id: string): Promise<AgentName | null> {
  if (builtInAgent(id) !== null) return { agent: id, characterId: null };
  const character = await findCharacter(q, userId, id);
  return character === undefined ? null : { agent: CHARACTER, characterId: character.id };
}

/** The agent as it is for this user now; null when there is none, or none of the user's. */
export async function findAgent(
  q: Queryable,
  userId: string,
  { agent, characterId }: AgentName,
): Promise<Agent | null> {
  if (characterId === null) return builtInAgent(agent);
  const character = await findCharacter(q, userId, characterId);
  return character === undefined ? null : { purpose: "chat", instructions: character.instructions };
}
