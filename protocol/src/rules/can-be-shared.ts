// Whether a message can be shared (wire-contract.md §13.1). Pure.

/** What the rules need of a message. One that is not sent yet has a negative id. */
export interface ShareableMessage {
  message_id: number;
  parent_id: number | null;
  role: string;
  status: string;
}

/** False for what is being written, was withdrawn by a filter, or is not sent yet. */
export function canBeShared({
  message_id,
  status,
}: Pick<ShareableMessage, "message_id" | "status">): boolean {
  return message_id > 0 && status !== "WIP" && status !== "CONTENT_FILTER";
}
