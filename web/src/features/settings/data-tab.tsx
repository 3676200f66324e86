import type { ReactNode } from "react";
import { useOwnAccount } from "../../hooks/use-own-account.ts";
import { useOwnData } from "../../hooks/use-own-data.ts";
import { DeleteHistory } from "./delete-history.tsx";
import { ExportRow } from "./export-row.tsx";
import { ImportRow } from "./import-row.tsx";
import { TrainingRow } from "./training-row.tsx";

interface DataTabProps {
  /** The row that leads to the user's shared links. */
  sharedLinks: ReactNode;
}

/** What the user can do with all that is theirs. */
export function DataTab({ sharedLinks }: DataTabProps) {
  const data = useOwnData();
  const account = useOwnAccount();
  const retry = data.failed ? data.retry : null;
  return (
    <>
      <TrainingRow training={account.part?.training ?? null} retry={account.failed ? account.retry : null} />
      {sharedLinks}
      <ExportRow exports={data.part?.exports ?? null} retry={retry} />
      <ImportRow imports={data.part?.imports ?? null} retry={retry} />
      <DeleteHistory />
    </>
  );
}
