// A branch in groups: one far from the screen is one place on the page, whose messages are not drawn by themselves.

/** Of these one group has so many screens of text that only two or three are near at a time. */
const GROUP_SIZE = 24;

/** A message of the branch: its name for as long as the page shows it, and its id. */
export interface ShownMessage {
  key: string;
  id: number;
}

/** Indexes of messages, `to` not included. */
export interface IndexRange {
  from: number;
  to: number;
}

/** The ranges and `last` count from the group's first message. */
export interface MessageGroup {
  messages: readonly ShownMessage[];
  /** So many of its messages are not laid out while they are out of sight. */
  skippable: number;
  /** These are drawn in full now. */
  atOnceFrom: number;
  atOnceTo: number;
  /** The last message of the branch; outside of the group where that is in another one. */
  last: number;
}

function within(index: number, length: number): number {
  return Math.max(0, Math.min(length, index));
}

/**
 * The groups of a branch, oldest first. A message stays in its group as long as those before it stay. `skippable`: so many
 * of the first messages; `atOnce`: the messages to be drawn in full now, besides the others.
 */
export function groupsOf(
  branch: readonly ShownMessage[],
  skippable: number,
  atOnce: IndexRange,
): MessageGroup[] {
  const groups: MessageGroup[] = [];
  for (let from = 0; from < branch.length; from += GROUP_SIZE) {
    const messages = branch.slice(from, from + GROUP_SIZE);
    const { length } = messages;
    groups.push({
      messages,
      skippable: within(skippable - from, length),
      atOnceFrom: within(atOnce.from - from, length),
      atOnceTo: within(atOnce.to - from, length),
      last: within(branch.length - 1 - from, length),
    });
  }
  return groups;
}

/** Whether two lists name the same messages in the same places. */
export function sameMessages(a: readonly ShownMessage[], b: readonly ShownMessage[]): boolean {
  if (a === b) return true;
  return (
    a.length === b.length && a.every(({ key, id }, index) => b[index]?.key === key && b[index].id === id)
  );
}
