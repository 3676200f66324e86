import { useEffect } from "react";
import type { OwnAccount } from "../../engine/accounts/own-account.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { SettingRow } from "./setting-row.tsx";

type Training = OwnAccount["training"];

interface TrainingRowProps {
  /** Null while its code comes, and where it cannot be had. */
  training: Training | null;
  /** Asks once more for the code that could not be had. */
  retry: (() => void) | null;
}

/** Whether chats may be used to train models. */
export function TrainingRow({ training, retry }: TrainingRowProps) {
  const { t } = useTexts();
  return (
    <SettingRow label={t("account.training")} note={t("account.trainingNote")}>
      {training !== null ? (
        <TrainingSwitch training={training} />
      ) : retry !== null ? (
        <Button onClick={retry}>{t("common.retry")}</Button>
      ) : (
        <Switch label={t("account.training")} checked={false} disabled onChange={() => {}} />
      )}
    </SettingRow>
  );
}

function TrainingSwitch({ training }: { training: Training }) {
  const { t } = useTexts();
  const { allowed, failed } = useSelector(training.store, (state) => state);
  useEffect(() => void training.load(), [training]);
  if (failed && allowed === null)
    return <Button onClick={() => void training.load()}>{t("common.retry")}</Button>;
  return (
    <Switch
      label={t("account.training")}
      checked={allowed === true}
      disabled={allowed === null}
      onChange={(wish) => void training.set(wish)}
    />
  );
}
