// What a chat needs only once there are turns: the list of them, with all that draws Markdown.
import { lazyPart } from "../ui/lazy-part.tsx";

export const conversationPart = lazyPart(
  async () => (await import("../features/conversation/conversation.tsx")).Conversation,
);
