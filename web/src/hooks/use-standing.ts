import { DEFAULT_AGENT } from "../engine/reactions.ts";
import { shareOfKey } from "../engine/sessions/client-session.ts";
import type { Standing } from "../engine/turns/message-rules.ts";
import { useEngine } from "./use-engine.tsx";
import { useSelector } from "./use-selector.ts";
import { useSession } from "./use-session.ts";

/** Where a session and its user stand, for the rules of what may be done with a message. */
export function useStanding(sessionKey: string): Standing {
  const engine = useEngine();
  const state = useSession(sessionKey, (session) => session.state, "idleWithNoHistory");
  const mutedUntil = useSelector(engine.accounts.mute, ({ until }) => until);
  const agentId = useSession(sessionKey, (session) => session.agentId, DEFAULT_AGENT);
  const isAgentGone = useSelector(engine.agents.store, ({ gone }) => gone.includes(agentId));
  return { state, mutedUntil, isReadOnly: isAgentGone || shareOfKey(sessionKey) !== null };
}
