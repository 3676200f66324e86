import { useEffect } from "react";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSessionTitle } from "../hooks/use-session-title.ts";
import { useSelector } from "../hooks/use-selector.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { documentTitle } from "./document-title.ts";

/** Names the page after the session on show. */
export function useDocumentTitle(sessionId: string | null): void {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const { title } = useSessionTitle(sessionId);
  const brand = useSelector(engine.site.settings, ({ settings }) => settings?.brand);
  useEffect(() => {
    const name = brand?.name ?? "Plumb";
    const fallback = brand?.default_title[locale] ?? t("app.defaultTitle", { brand: name });
    document.title = documentTitle(title, name, fallback);
  }, [title, brand, locale, t]);
}
