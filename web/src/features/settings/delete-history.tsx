import { useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { SettingRow } from "./setting-row.tsx";

/** The end of all chats, asked for twice. */
export function DeleteHistory() {
  const engine = useEngine();
  const { t } = useTexts();
  const [asking, setAsking] = useState(false);
  return (
    <SettingRow label={t("data.deleteAll")} note={t("data.deleteAllNote")}>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("data.deleteAllButton")}
      </Button>
      {asking && (
        <DeleteDialog
          title={t("data.deleteAllTitle")}
          description={t("data.deleteAllText")}
          closeLabel={t("common.close")}
          cancelLabel={t("common.cancel")}
          deleteLabel={t("data.deleteAllButton")}
          onDelete={async () => (await (await engine.ownData())?.history.deleteAll()) ?? false}
          onClose={() => setAsking(false)}
        />
      )}
    </SettingRow>
  );
}
