// What becomes of turns whose connection was lost, or that an earlier load of the page began. Most pages do without it: it loads
// with the first of them, or as somebody touches the page.
import { createFindSent } from "./find-sent.ts";
import { createGivingBack } from "./give-back.ts";
import { createRecovery, type Restart } from "./recover-turn.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnRegister } from "./turn-register.ts";
import type { Turn } from "./turn.ts";

export type LostTurns = ReturnType<typeof createLostTurns>;

/** `over`: turns that have ended while their chats stood aside. */
export function createLostTurns(
  deps: TurnDeps,
  register: TurnRegister,
  { over, restart }: { over: Set<Turn>; restart: Restart },
) {
  const sent = createFindSent(deps, register);
  return {
    findSent: sent.findSent,
    ...createRecovery(deps, register, restart),
    ...createGivingBack(deps, register, sent, over),
  };
}
