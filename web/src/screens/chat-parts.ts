// What a chat needs only at times.
import type { Message } from "@plumb/protocol/conversation/message";
import { loadPersonaTexts } from "../i18n/persona-texts.ts";
import { loadSharingTexts } from "../i18n/sharing-texts.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

/** A page that opens at its end shows no more messages than these. */
const LAST_IN_VIEW = 6;

const loadConversation = () => import("../features/conversation/conversation.tsx");

/** Once there are turns: the list of them, with all that draws Markdown. */
export const conversationPart = lazyPart(async () => (await loadConversation()).Conversation);

/** Loads what the last of these messages need besides, before they are drawn. */
export async function loadDrawers(coming: Promise<readonly Pick<Message, "fragments">[]>): Promise<void> {
  const [messages, part] = await Promise.all([coming, loadConversation().catch(() => null)]);
  // Where the part could not be had, whoever shows it tries again.
  part?.loadDrawersOf(messages.slice(-LAST_IN_VIEW));
}

/** What stands in the place of the composer while the user may not write. */
export const muteNoticePart = lazyPart(
  async () => (await import("../features/composer/mute-notice.tsx")).MuteNotice,
);

/** What is shown of personas, with its texts. */
export const personaPart = lazyPart(async () => {
  const [{ PersonaPart }] = await Promise.all([
    import("../features/agents/persona-part.tsx"),
    loadPersonaTexts(),
  ]);
  return PersonaPart;
});

/** While turns are chosen to be shared. */
export const shareSelectionPart = lazyPart(async () => {
  const [{ ShareSelection }] = await Promise.all([
    import("../features/sharing/share-selection.tsx"),
    loadSharingTexts(),
  ]);
  return ShareSelection;
});

/** What stands in a share, to be read. */
export const sharedChatPart = lazyPart(async () => {
  const [{ SharedChat }] = await Promise.all([
    import("./shared-chat.tsx"),
    loadSharingTexts(),
    conversationPart.preload(),
  ]);
  return SharedChat;
});
