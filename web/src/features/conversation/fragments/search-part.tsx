import type { SearchFragment } from "@plumb/protocol/conversation/fragment";
import { loadDialogTexts } from "../../../i18n/dialog-texts.ts";
import { lazyPart, useMayShow } from "../../../ui/lazy-part.tsx";
import styles from "./fragment-view.module.css";

/** The line of a web search: most chats do without it. */
export const searchPart = lazyPart(
  async () => (await Promise.all([import("./search-fragment.tsx"), loadDialogTexts()]))[0].SearchFragment,
);

/** A web search; its room until its code is here, and where it can't be had. */
export function SearchPart(props: { fragment: SearchFragment; running: boolean }) {
  return useMayShow(searchPart) ? <searchPart.Part {...props} /> : <p className={styles.search} />;
}
