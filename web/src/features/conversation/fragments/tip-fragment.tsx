import type { TipFragment as Tip } from "@plumb/protocol/conversation/fragment";
import { cx } from "../../../ui/cx.ts";
import { Icon } from "../../../ui/icon.tsx";
import styles from "./tip-fragment.module.css";

/** A word of caution under an answer. */
export function TipFragment({ fragment }: { fragment: Tip }) {
  const warning = fragment.style === "WARNING";
  return (
    <p className={cx(styles.tip, warning && styles.warning)} data-said="">
      <Icon name={warning ? "alert" : "info"} small />
      <span>{fragment.content}</span>
    </p>
  );
}
