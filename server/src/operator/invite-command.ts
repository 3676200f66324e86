// An invitation for somebody (wire-contract.md §19.3).
import { isEmail, normaliseEmail } from "@plumb/protocol/rules/sign-in-rules";
import { makeInvitation } from "../features/accounts/invitations.ts";
import { findUser } from "../features/accounts/user-store.ts";
import { StartError } from "../platform/start-error.ts";
import type { Operation } from "./account-commands.ts";

/** A link that is shown once: for whoever has it, or for one address alone. */
export async function invite({ db, out, nowMs, site }: Operation, address?: string): Promise<void> {
  const email = address === undefined ? null : normaliseEmail(address);
  if (email !== null && !isEmail(email)) throw new StartError(`${address} is no e-mail address.`);
  if (email !== null && (await findUser(db.kysely, { email })) !== undefined)
    throw new StartError(`${email} has an account already.`);
  const invitation = await makeInvitation(db, email, nowMs);
  const whom = email === null ? "One person can sign up" : `${email} can sign up`;
  const link = (address: string): string => `${address}/sign_up?invitation=${invitation}`;
  out(`${whom} within seven days: ${link(site.address)}`);
  for (const address of site.elsewhere) out(`The same from other devices of your network: ${link(address)}`);
  if (site.onlyHere)
    out(
      "Only this machine can open it. Start the server with HOST=0.0.0.0 for others of your network, or set PUBLIC_URL.",
    );
}
