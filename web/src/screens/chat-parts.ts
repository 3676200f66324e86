// What a chat needs only at times.
import { lazyPart } from "../ui/lazy-part.tsx";

/** Once there are turns: the list of them, with all that draws Markdown. */
export const conversationPart = lazyPart(
  async () => (await import("../features/conversation/conversation.tsx")).Conversation,
);

/** What stands in the place of the composer while the user may not write. */
export const muteNoticePart = lazyPart(
  async () => (await import("../features/composer/mute-notice.tsx")).MuteNotice,
);
