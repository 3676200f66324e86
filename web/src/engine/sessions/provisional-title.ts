// What a chat is called until its title is made: the first words of its first question, as the server shortens them.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import type { Message } from "@plumb/protocol/conversation/message";
import type { MessageTree } from "@plumb/protocol/conversation/message-tree";
import { firstWordsTitle } from "@plumb/protocol/rules/title-rules";

/** The provisional title, null where no question of the session is on this page. */
export function provisionalTitle(session: { tree: MessageTree<Message> } | undefined): string | null {
  const [firstId] = session?.tree.rootIds ?? [];
  const first = firstId === undefined ? undefined : session?.tree.nodes.get(firstId)?.message;
  const request = first?.fragments.find((fragment) => isFragment(fragment, "REQUEST"));
  const words = isFragment(request, "REQUEST") ? firstWordsTitle(request.content) : "";
  return words === "" ? null : words;
}
