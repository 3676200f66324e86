import { useEffect, type ReactNode } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { Mark } from "../../ui/mark.tsx";
import styles from "./form-frame.module.css";
import { SiteFooter } from "./site-footer.tsx";

interface FormFrameProps {
  title: string;
  /** The form has a sentence of consent, with its links. */
  hasConsent?: boolean;
  children: ReactNode;
}

/** The one centred column of the pages before sign-in. */
export function FormFrame({ title, hasConsent = false, children }: FormFrameProps) {
  const engine = useEngine();
  const brand = useSelector(engine.site.settings, ({ settings }) => settings?.brand.name ?? "Plumb");
  useEffect(() => {
    document.title = `${title} - ${brand}`;
  }, [title, brand]);
  return (
    <div className={styles.page}>
      <main className={styles.column}>
        <div className={styles.brand}>
          <Mark size={32} />
          <span>{brand}</span>
        </div>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </main>
      <SiteFooter underConsent={hasConsent} />
    </div>
  );
}
