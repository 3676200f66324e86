import { selectSibling, treeOf, updateMessage } from "@plumb/protocol/conversation/message-tree";
import { expect, it } from "vitest";
import { clientMessage } from "../../engine/sessions/client-message.ts";
import { wireMessage } from "../../engine/testing/wire-message.ts";
import { shownMessages } from "./shown-messages.ts";

const parents = [null, 1, 1, 3];
const tree = treeOf(
  parents.map((parent_id, index) =>
    clientMessage(
      wireMessage({ message_id: index + 1, parent_id, role: index % 2 === 0 ? "USER" : "ASSISTANT" }),
    ),
  ),
  null,
);

it("is the same list while a message grows, and another one where another branch is shown", () => {
  const shown = shownMessages({ tree });
  expect(shown.map(({ id }) => id)).toEqual([1, 3, 4]);
  const grown = updateMessage(tree, 4, (message) => ({ ...message, status: "WIP" as const }));
  expect(shownMessages({ tree: grown })).toBe(shown);
  const renamed = updateMessage(tree, 4, (message) => ({ ...message, key: "another" }));
  expect(shownMessages({ tree: renamed })).not.toBe(shown);
  const other = shownMessages({ tree: selectSibling(tree, 2) });
  expect(other.map(({ id }) => id)).toEqual([1, 2]);
  expect(shownMessages({ tree })).toBe(shown);
});
