// Ids of personas are UUIDs (wire-contract.md §1.8): no agent that everybody has is named by one.
const CHARACTER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for what can be a persona's id; an agent that everybody has is never named so. */
export function isCharacterId(id: string): boolean {
  return CHARACTER_ID.test(id);
}
