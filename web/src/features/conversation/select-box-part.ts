import { loadSharingTexts } from "../../i18n/sharing-texts.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";

/** What a message is chosen by, to be shared. */
export const selectBoxPart = lazyPart(
  async () => (await Promise.all([import("./select-box.tsx"), loadSharingTexts()]))[0].SelectBox,
);
