import { useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { SettingRow } from "./setting-row.tsx";

/** The end of every sign-in, this one too, asked for twice. */
export function LogoutAll() {
  const engine = useEngine();
  const { t } = useTexts();
  const [asking, setAsking] = useState(false);
  return (
    <SettingRow label={t("account.logoutAll")}>
      <Button onClick={() => setAsking(true)}>{t("account.logoutAllButton")}</Button>
      {asking && (
        <DeleteDialog
          title={t("account.logoutAllTitle")}
          description={t("account.logoutAllText")}
          closeLabel={t("common.close")}
          cancelLabel={t("common.cancel")}
          deleteLabel={t("account.logoutAllButton")}
          onDelete={async () => (await (await engine.ownAccount())?.signIns.endAll()) ?? false}
          onClose={() => setAsking(false)}
        />
      )}
    </SettingRow>
  );
}
