import type { SearchFragment as Search } from "@plumb/protocol/conversation/fragment";
import { useTexts } from "../../../i18n/use-texts.ts";
import { Icon } from "../../../ui/icon.tsx";
import { cx } from "../../../ui/cx.ts";
import styles from "./search-fragment.module.css";

/** What the web search is at, in words. */
export function SearchFragment({ fragment }: { fragment: Search }) {
  const { t } = useTexts();
  const found = fragment.results.length;
  const text =
    fragment.status === "WIP"
      ? t("search.running")
      : fragment.status === "FAILED"
        ? t("search.failed")
        : found === 0
          ? t("search.nothing")
          : t("search.found", { count: found });
  return (
    <p className={styles.search}>
      <Icon name="globe" small />
      <span className={cx(fragment.status === "WIP" && styles.running)}>{text}</span>
    </p>
  );
}
