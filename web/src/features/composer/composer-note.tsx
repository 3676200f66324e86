import { KEPT_DRAFT_CHARS } from "../../engine/sessions/kept-drafts.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import styles from "./composer-note.module.css";

interface ComposerNoteProps {
  sessionKey: string;
  /** The line about AI answers, where there is nothing more pressing. */
  disclaimer: boolean;
}

/** One quiet line under the composer: that a text can't be kept, or not all of it, that the network is away, or the disclaimer. */
export function ComposerNote({ sessionKey, disclaimer }: ComposerNoteProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const { online, unreached } = useSelector(engine.site.network, (state) => state);
  const tooLong = useSelector(
    engine.sessions.store,
    ({ drafts }) => (drafts[sessionKey] ?? "").length > KEPT_DRAFT_CHARS,
  );
  const unkept = useSelector(
    engine.sessions.store,
    ({ drafts, unkept: keys }) => (drafts[sessionKey] ?? "") !== "" && keys.includes(sessionKey),
  );
  // First what the others would deny.
  const state = unkept
    ? t("composer.draftUnkept")
    : !online
      ? t("composer.offline")
      : unreached
        ? t("composer.unreached")
        : tooLong
          ? t("composer.draftLong", { chars: KEPT_DRAFT_CHARS })
          : null;
  return (
    <>
      {/* Always there: a region that comes with its text is not read out. */}
      <p className={cx(styles.state, !disclaimer && styles.kept)} role="status">
        {state}
      </p>
      {state === null && disclaimer && <p className={styles.note}>{t("composer.disclaimer")}</p>}
    </>
  );
}
