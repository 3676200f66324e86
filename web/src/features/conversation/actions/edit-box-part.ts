// The edit box, whose code the page loads when the button that opens it is first approached.
import { lazyPart } from "../../../ui/lazy-part.tsx";

export const editBoxPart = lazyPart(async () => (await import("./edit-box.tsx")).EditBox);
