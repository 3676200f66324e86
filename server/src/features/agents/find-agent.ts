// Who a user can speak to. Today the agents are built in; those that users make will be found here, too.
import { type Agent, builtInAgent } from "./built-in-agents.ts";

/** What a session or a call names an agent by. */
export interface AgentName {
  agent: string;
  characterId: string | null;
}

/** The agent as it is for this user now; null when there is none, or none of the user's. */
export async function findAgent(_userId: string, { agent, characterId }: AgentName): Promise<Agent | null> {
  return characterId === null ? builtInAgent(agent) : null;
}
