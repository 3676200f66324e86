import { useState } from "react";
import { Icon } from "./icon.tsx";
import styles from "./site-mark.module.css";

/** The mark of a site; where there is none, or it is no picture, a globe. It says nothing that is not written beside it. */
export function SiteMark({ icon }: { icon: string | null }) {
  const [broken, setBroken] = useState(false);
  // Nothing is loaded from elsewhere for it.
  return icon?.startsWith("data:image/") === true && !broken ? (
    <img className={styles.mark} src={icon} alt="" width={16} height={16} onError={() => setBroken(true)} />
  ) : (
    <span className={styles.mark}>
      <Icon name="globe" small />
    </span>
  );
}
