// What a chat needs only at times.
import { loadPersonaTexts } from "../i18n/persona-texts.ts";
import { loadSharingTexts } from "../i18n/sharing-texts.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

/** Once there are turns: the list of them, with all that draws Markdown. */
export const conversationPart = lazyPart(
  async () => (await import("../features/conversation/conversation.tsx")).Conversation,
);

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
