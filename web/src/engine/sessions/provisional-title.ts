// What a chat is called until its title is made: the first words of its first question, as the server shortens them.
import { isFragment } from "@plumb/protocol/conversation/fragment";
import { firstWordsTitle } from "@plumb/protocol/rules/title-rules";
import type { ClientSession } from "./client-session.ts";

/** The provisional title, null where no question of the session is on this page. */
export function provisionalTitle(session: ClientSession | undefined): string | null {
  const [firstId] = session?.tree.rootIds ?? [];
  const first = firstId === undefined ? undefined : session?.tree.nodes.get(firstId)?.message;
  const request = first?.fragments.find((fragment) => isFragment(fragment, "REQUEST"));
  const words = isFragment(request, "REQUEST") ? firstWordsTitle(request.content) : "";
  return words === "" ? null : words;
}
