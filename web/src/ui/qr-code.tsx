import { encode } from "uqr";
import styles from "./qr-code.module.css";

/** Modules that stay empty around a code, or cameras do not find it. */
const QUIET_ZONE = 4;

/** A text as a QR code, dark on light in both themes, since not every camera reads the reverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
