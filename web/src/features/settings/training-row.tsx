import { useEffect } from "react";
import type { OwnAccount } from "../../engine/accounts/own-account.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { SettingRow } from "./setting-row.tsx";

/** Whether chats may be used to train models. */
export function TrainingRow({ training }: { training: OwnAccount["training"] }) {
  const { t } = useTexts();
  const { allowed, failed } = useSelector(training.store, (state) => state);
  useEffect(() => void training.load(), [training]);
  return (
    <SettingRow label={t("account.training")} note={t("account.trainingNote")}>
      {failed && allowed === null ? (
        <Button onClick={() => void training.load()}>{t("common.retry")}</Button>
      ) : (
        <Switch
          label={t("account.training")}
          checked={allowed === true}
          disabled={allowed === null}
          onChange={(wish) => void training.set(wish)}
        />
      )}
    </SettingRow>
  );
}
