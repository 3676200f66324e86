import { useEffect, type ReactNode } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/mark.tsx";
import styles from "./form-frame.module.css";
import { SiteFooter } from "./site-footer.tsx";

interface FormFrameProps {
  title: string;
  /** The form has a sentence of consent, with its links. */
  hasConsent?: boolean;
  /** Stands beside the column, and under it where there is no room. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The one centred column of the pages before sign-in. */
export function FormFrame({ title, hasConsent = false, aside, children }: FormFrameProps) {
  const engine = useEngine();
  const brand = useSelector(engine.site.settings, ({ settings }) => settings?.brand.name ?? "Plumb");
  useEffect(() => {
    document.title = `${title} - ${brand}`;
  }, [title, brand]);
  return (
    <div className={styles.page}>
      <main className={cx(styles.columns, aside !== undefined && styles.two)}>
        <div className={styles.column}>
          <div className={styles.brand}>
            <Mark size={32} />
            <span>{brand}</span>
          </div>
          <h1 className={styles.title} tabIndex={-1}>
            {title}
          </h1>
          {children}
        </div>
        {aside}
      </main>
      <SiteFooter underConsent={hasConsent} />
    </div>
  );
}
