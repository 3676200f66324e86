import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";

interface CodeComingProps {
  label: string;
  /** Asks once more for the code that could not be had; null while it comes. */
  retry: (() => void) | null;
}

/** Stands for a row's button while the code behind it comes, and where that cannot be had. */
export function CodeComing({ label, retry }: CodeComingProps) {
  const { t } = useTexts();
  if (retry !== null) return <Button onClick={retry}>{t("common.retry")}</Button>;
  return <Button loading>{label}</Button>;
}
