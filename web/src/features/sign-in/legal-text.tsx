import type { ReactNode } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";

/** A sentence of consent with the terms and the privacy policy in it, linked where the server names their pages. */
export function LegalText({ sentence }: { sentence: TextKey }) {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const links = useSelector(engine.site.settings, ({ settings }) => settings?.links[locale]);
  const parts: Record<string, ReactNode> = {
    "<terms>": <LegalLink href={links?.terms_of_use ?? null} text={t("form.terms")} />,
    "<privacy>": <LegalLink href={links?.privacy_policy ?? null} text={t("form.privacy")} />,
  };
  return (
    <span>
      {t(sentence)
        .split(/(<terms>|<privacy>)/)
        .map((part, index) => (
          <span key={index}>{parts[part] ?? part}</span>
        ))}
    </span>
  );
}

function LegalLink({ href, text }: { href: string | null; text: string }) {
  if (href === null || href === "") return <>{text}</>;
  return (
    <a href={href} target="_blank" rel="noopener">
      {text}
    </a>
  );
}
