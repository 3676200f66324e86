import type { ReactNode } from "react";
import styles from "./markdown.module.css";
import type { SafeLink } from "./safe-link.ts";

interface LinkCardProps {
  link: SafeLink;
  /** Whether the paragraph is complete: until then more words may come, and it looks like a link. */
  settled: boolean;
  /** Its words until then. */
  children?: ReactNode;
}

/**
 * A bare link that is a paragraph of its own, as a card of host and path (requirements 1§1). Nothing is fetched for it.
 * It takes the height of one line at all times, so that nothing moves when it is complete.
 */
export function LinkCard({ link, settled, children }: LinkCardProps) {
  const path = readablePath(link.href);
  return (
    <p className={styles.lonelyLink}>
      <a
        className={settled ? styles.linkCard : undefined}
        href={link.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={link.href.slice(0, 500)}
      >
        {settled ? (
          <>
            <bdi className={styles.linkHost}>{link.host}</bdi>
            {path !== "" && <bdi className={styles.linkPath}>{path}</bdi>}
          </>
        ) : (
          children
        )}
      </a>
    </p>
  );
}

const longestPath = 300;

/** Path, query and fragment, in letters where that hides nothing. */
function readablePath(href: string): string {
  const { pathname, search, hash } = new URL(href);
  const written = `${pathname === "/" ? "" : pathname}${search}${hash}`.slice(0, longestPath);
  try {
    const decoded = decodeURI(written);
    return /[\p{C}\p{Z}]/u.test(decoded) ? written : decoded;
  } catch {
    return written;
  }
}
