import type { Text } from "../../../engine/text.ts";
import { useReason } from "../../../i18n/use-reason.ts";
import { useTexts } from "../../../i18n/use-texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Tooltip } from "../../../ui/tooltip.tsx";
import styles from "./continue-button.module.css";

/** Lets a reply that ended early go on. In words: it is what one wants there most. */
export function ContinueButton({ blocked, onPress }: { blocked: Text | null; onPress: () => void }) {
  const { t } = useTexts();
  const reason = useReason(blocked);
  return (
    <Tooltip text={reason?.words ?? t("conversation.continueTip")}>
      <Button className={styles.button} onClick={onPress} {...reason?.attributes}>
        {t("conversation.continue")}
      </Button>
    </Tooltip>
  );
}
