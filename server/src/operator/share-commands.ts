// What an operator does with shared chats.
import { ShareState } from "../features/sharing/share-state.ts";
import { changeState, findShare } from "../features/sharing/share-store.ts";
import { StartError } from "../platform/start-error.ts";
import type { Operation } from "./account-commands.ts";

/** An id, or the link that a complaint names. */
const idOf = (named: string): string => /\/share\/([\w-]+)/.exec(named)?.[1] ?? named;

/** Readers are answered as for a share that its owner has deleted; the owner still sees it in the list. */
export async function disableShare(operation: Operation, named: string): Promise<void> {
  const id = idOf(named);
  if (await change(operation, id, { from: ShareState.Open, to: ShareState.Disabled }))
    return operation.out(`The shared chat ${id} is disabled.`);
  await sayWhyNot(operation, id, `The shared chat ${id} is disabled already.`, ShareState.Disabled);
}

export async function enableShare(operation: Operation, named: string): Promise<void> {
  const id = idOf(named);
  if (await change(operation, id, { from: ShareState.Disabled, to: ShareState.Open }))
    return operation.out(`The shared chat ${id} can be read again.`);
  await sayWhyNot(operation, id, `The shared chat ${id} is not disabled.`, ShareState.Open);
}

function change(
  { db, nowMs }: Operation,
  id: string,
  states: { from: string; to: string },
): Promise<boolean> {
  return changeState(db.kysely, id, { ...states, now: nowMs });
}

/** Throws a StartError with one sentence when there is no such share, or it has ended. */
async function sayWhyNot({ db, out }: Operation, id: string, same: string, state: string): Promise<void> {
  const share = await findShare(db.kysely, id);
  if (share?.state === state) return out(same);
  const ended = share !== undefined && share.state !== ShareState.Making;
  throw new StartError(ended ? `The shared chat ${id} has ended.` : `There is no shared chat ${id}.`);
}
