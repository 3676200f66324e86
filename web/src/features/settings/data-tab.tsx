import type { ReactNode } from "react";
import { useOwnAccount } from "../../hooks/use-own-account.ts";
import { useOwnData } from "../../hooks/use-own-data.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { DeleteHistory } from "./delete-history.tsx";
import { ExportRow } from "./export-row.tsx";
import { ImportRow } from "./import-row.tsx";
import { SettingRow } from "./setting-row.tsx";
import { TrainingRow } from "./training-row.tsx";

interface DataTabProps {
  /** The row that leads to the user's shared links. */
  sharedLinks: ReactNode;
}

/** What the user can do with all that is theirs. */
export function DataTab({ sharedLinks }: DataTabProps) {
  const { t } = useTexts();
  const { data, failed, retry } = useOwnData();
  const { account } = useOwnAccount();
  return (
    <>
      {account !== null && <TrainingRow training={account.training} />}
      {sharedLinks}
      {failed ? (
        <SettingRow label={t("data.export")}>
          <Button onClick={retry}>{t("common.retry")}</Button>
        </SettingRow>
      ) : (
        <>
          <ExportRow exports={data?.exports ?? null} />
          <ImportRow imports={data?.imports ?? null} />
        </>
      )}
      <DeleteHistory />
    </>
  );
}
