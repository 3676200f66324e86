import { isFragment, type Fragment } from "@plumb/protocol/conversation/fragment";
import { memo } from "react";
import { useTexts } from "../../../i18n/use-texts.ts";
import type { Growing } from "../../../markdown/parse-env.ts";
import styles from "./fragment-view.module.css";
import { RevealedMarkdown } from "./revealed-markdown.tsx";
import { SearchPart } from "./search-part.tsx";
import { ThinkFragment } from "./think-fragment.tsx";
import { TipFragment } from "./tip-fragment.tsx";

export interface FragmentViewProps {
  fragment: Fragment;
  /** The reply is still being written. */
  running: boolean;
  /** It is this fragment that is being written, or was cut. */
  growing: Growing;
  /** Nothing came after it. */
  isLast: boolean;
}

/** One part of a reply, by its type. */
export const FragmentView = memo(function FragmentView(props: FragmentViewProps) {
  const { fragment, running, growing, isLast } = props;
  const { t } = useTexts();
  if (isFragment(fragment, "RESPONSE"))
    return <RevealedMarkdown text={fragment.content} streaming={growing} />;
  if (isFragment(fragment, "TEMPLATE_RESPONSE"))
    return (
      <p className={styles.template} data-said="">
        {fragment.content}
      </p>
    );
  if (isFragment(fragment, "THINK"))
    return <ThinkFragment fragment={fragment} running={running} growing={growing} isLast={isLast} />;
  if (isFragment(fragment, "SEARCH")) return <SearchPart fragment={fragment} running={running} />;
  if (isFragment(fragment, "TIP"))
    return running && fragment.hide_on_wip ? null : <TipFragment fragment={fragment} />;
  return (
    <p className={styles.unsupported} data-uncopied="">
      {t("fragment.unsupported")}
    </p>
  );
});
