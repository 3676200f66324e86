// What was given back, or stands aside in a chat in whose place another was begun: it stands in a composer, or does not where
// it has arrived after all.
import { removeMessage } from "@plumb/protocol/conversation/message-tree";
import { agentOfNewChat, isAside, newChatKey } from "../sessions/client-session.ts";
import { isKeptBeside, nextDraftKey } from "../sessions/edit-drafts.ts";
import type { FindSent } from "./find-sent.ts";
import { dropGivenBack } from "./stop-turn.ts";
import { clientStreamIdOf } from "./turn-call.ts";
import type { TurnDeps } from "./turn-deps.ts";
import type { TurnRegister } from "./turn-register.ts";
import type { Turn } from "./turn.ts";

const joined = (...texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join("\n\n");

/** Says why the turn of a chat that stands aside has ended; only what the server does not have is left of it. */
function settle({ sessions, reactions }: TurnDeps, { lost }: TurnRegister, turn: Turn): void {
  const [key, phase, { typed }] = [turn.key(), turn.phase(), turn.plan];
  const session = sessions.get(key);
  if (session === undefined || phase.name !== "ended") return;
  lost.delete(key);
  for (const { message } of session.tree.nodes.values()) {
    const text = message.hint?.text;
    if (text !== undefined) reactions.toast({ type: "error", text });
  }
  const text = typed?.text ?? "";
  const isKept = phase.outcome !== "rolled-back" && turn.isStored();
  if (isKept) sessions.dropDraft(key, text);
  else sessions.restoreDraft(key, text);
}

function isAbandoned(turn: Turn): boolean {
  const phase = turn.phase();
  return phase.name === "ended" && phase.outcome === "abandoned";
}

/** The texts under this key, and its files, stand above what is typed in the new chat. */
function giveBack({ sessions }: TurnDeps, from: string): void {
  const to = newChatKey(agentOfNewChat(from) ?? "");
  const next = nextDraftKey(from);
  const { drafts } = sessions.store.getState();
  const back = joined(drafts[from] ?? sessions.keptText(from), drafts[next]);
  if (back !== "") sessions.storeDraftNow(to, joined(back, drafts[to]));
  for (const key of [from, next]) sessions.moveFiles(key, to);
  sessions.remove(from);
}

/** `over`: turns that have ended aside since it was looked at last. */
export function createGivingBack(deps: TurnDeps, register: TurnRegister, { ask }: FindSent, over: Set<Turn>) {
  const { sessions, files } = deps;

  /**
   * Gives back what stands aside without a turn, of an earlier load of the page too, as soon as nothing is on its way where it
   * goes.
   */
  function giveBackAll(): void {
    const turns = [...over];
    over.clear();
    // The page is left, or the chat is gone.
    if (turns.some(isAbandoned)) return;
    for (const turn of turns) settle(deps, register, turn);
    const isBusy = (key: string): boolean =>
      [key, newChatKey(agentOfNewChat(key) ?? "")].some((one) => register.turnOf(one) !== undefined);
    async function take(key: string): Promise<void> {
      if (isBusy(key)) return;
      if (sessions.sentAs(key) !== null && (await ask(key)) === null) return;
      if (!isBusy(key) && !files.bring(key)) giveBack(deps, key);
    }
    const { byId, drafts } = sessions.store.getState();
    for (const key of Object.keys({ ...byId, ...drafts, ...files.face.store.getState().byKey }))
      if (isAside(key) && !isKeptBeside(key)) void take(key);
  }

  /** A history came with these client_stream_ids: what was given back in doubt, and stands there, is not to be sent again. */
  function dropDoubtful(key: string, ids: ReadonlySet<string | null>): void {
    for (const turn of register.doubtful) {
      const { call, userId } = turn.plan;
      if (!ids.has(clientStreamIdOf(call))) continue;
      register.doubtful.delete(turn);
      // It had failed, for all that was known here.
      if (userId < 0) sessions.update(key, ({ tree }) => ({ tree: removeMessage(tree, userId) }));
      dropGivenBack(deps, turn);
    }
  }

  return { giveBackAll, dropDoubtful };
}
