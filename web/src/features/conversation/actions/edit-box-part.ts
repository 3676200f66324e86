// The edit box, whose code the page loads when the button that opens it is first approached.
import { loadDialogTexts } from "../../../i18n/dialog-texts.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";

export const editBoxPart = lazyPart(
  async () => (await Promise.all([import("./edit-box.tsx"), loadDialogTexts()]))[0].EditBox,
);
