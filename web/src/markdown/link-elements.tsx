import type { ReactNode } from "react";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";
import { safeLink } from "./safe-link.ts";

/** A link in a new page that tells its host; a target that may not be followed leaves the words alone. */
export function SafeLinkElement({ target, children }: { target: string; children?: ReactNode }) {
  const link = safeLink(target);
  if (link === null) return <>{children}</>;
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow" title={link.host}>
      {children}
    </a>
  );
}

/**
 * A picture of a reply is never fetched by drawing it, since its address could carry away what was said: it is
 * a link with its words and host, followed only by a press.
 */
export function PictureLink({ target, children }: { target: string; children: string }) {
  const labels = useMarkdownLabels();
  const link = safeLink(target);
  const words = children === "" ? labels.picture : children;
  if (link === null) return <span className={styles.picture}>{words}</span>;
  return (
    <SafeLinkElement target={target}>
      <span className={styles.picture}>
        <bdi>{words}</bdi> (<bdi>{link.host}</bdi>)
      </span>
    </SafeLinkElement>
  );
}
