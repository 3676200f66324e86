import { useTexts } from "../../i18n/use-texts.ts";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./file-preview.module.css";

/** Shows a preview; `onFailed` when what is behind the link cannot be had or drawn. */
export interface ViewProps {
  url: string;
  name: string;
  onFailed: (reason: unknown) => void;
}

/** In the place of a preview that is on its way. */
export function ViewLoading() {
  const { t } = useTexts();
  return (
    <div className={styles.loading} role="status">
      <Spinner />
      {t("files.loading")}
    </div>
  );
}
