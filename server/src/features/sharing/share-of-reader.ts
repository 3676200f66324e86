// The share that a reader asks for, or why there is none to read (wire-contract.md §13.4).
import { ShareContentRefusal } from "@plumb/protocol/wire/sharing";
import type { Queryable } from "../../platform/database/database.ts";
import { Refusal } from "../../platform/refusal.ts";
import { isShareId } from "./share-id.ts";
import { ShareState } from "./share-state.ts";
import { findShare, type ShareRow } from "./share-store.ts";

/** Throws Refusal 1, 2 or 3. A share of a banned account is as one that the operator has disabled. */
export async function requireOpenShare(q: Queryable, id: string): Promise<ShareRow> {
  const share = isShareId(id) ? await findShare(q, id) : undefined;
  if (share === undefined || share.state === ShareState.Making)
    throw new Refusal(ShareContentRefusal.ShareDoesNotExist);
  if (share.state === ShareState.SessionDeleted)
    throw new Refusal(ShareContentRefusal.OriginalSessionDeleted);
  if (share.state !== ShareState.Open || share.owner_banned_at !== null)
    throw new Refusal(ShareContentRefusal.ShareIsDeletedOrBanned);
  return share;
}
