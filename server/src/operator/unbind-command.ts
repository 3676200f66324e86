// Takes a way to sign in from an account that somebody else may have given it.
import { REMOVABLE_KINDS } from "@plumb/protocol/wire/bindings";
import { unbindByOperator } from "../features/accounts/remove-binding.ts";
import { StartError } from "../platform/start-error.ts";
import { addressOf, type Operation, requireUser } from "./account-commands.ts";

const names = { phone: "phone", wechat: "WeChat", google: "Google" } as const;

export async function unbind({ db, out, means }: Operation, account: string, word: string): Promise<void> {
  const kind = REMOVABLE_KINDS.find((known) => known === word);
  if (kind === undefined) throw new StartError(`${word} is none of ${REMOVABLE_KINDS.join(", ")}.`);
  const user = await requireUser(db, account);
  const outcome = await unbindByOperator(db, { userId: user.id, kind }, means);
  if (outcome === "not bound") throw new StartError(`${addressOf(user)} has no ${names[kind]}.`);
  if (outcome === "last way in")
    throw new StartError(`Nobody could sign in to ${addressOf(user)} without its ${names[kind]}: it stays.`);
  // Named as before: the phone may have been its address.
  out(`${addressOf(user)} has no ${names[kind]} any more, and is signed out everywhere.`);
}
