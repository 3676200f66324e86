import { Link } from "wouter";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { Mark } from "../../ui/mark.tsx";
import styles from "./brand-link.module.css";

/** The logo; leads to the root. */
export function BrandLink({ withName }: { withName: boolean }) {
  const engine = useEngine();
  const brand = useSelector(engine.site.settings, ({ settings }) => settings?.brand.name ?? "Plumb");
  return (
    <Link href="/" className={styles.brand} aria-label={brand}>
      <Mark size={withName ? 22 : 26} />
      {withName && <span>{brand}</span>}
    </Link>
  );
}
