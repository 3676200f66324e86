import { useTexts } from "../i18n/use-texts.ts";

/** While the page does not know yet what to show: keeps the mark of index.html, which shows when that takes long. */
export function Splash() {
  const { t } = useTexts();
  return <div data-splash role="status" aria-label={t("conversation.loading")} />;
}
