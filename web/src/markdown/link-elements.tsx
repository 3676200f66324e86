import type { ReactElement, ReactNode } from "react";
import { decode } from "./browser-addresses.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";
import { namesFile, safeLink } from "./safe-link.ts";

export interface AddressLinkProps {
  target: string;
  /** Its words are the address itself. */
  isBare?: boolean;
  children?: ReactNode;
}

/**
 * A link in a new page that tells its host; a target that may not be followed leaves the words alone, which tell the name
 * of a file only to whoever points at them. An e-mail address
 * is a link only where it stands for itself: behind other words it is none (1§5). A link without words shows its host.
 */
export function AddressLink({ target, isBare = false, children }: AddressLinkProps) {
  if (isBare && /^mailto:[^?&]+$/i.test(target)) return <a href={target}>{children}</a>;
  const link = safeLink(target);
  if (link === null)
    return namesFile(target) ? <span title={decode(target, "")}>{children}</span> : <>{children}</>;
  const isEmpty = children === undefined || (typeof children === "string" && children.trim() === "");
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow" title={link.host}>
      {isEmpty ? link.host : children}
    </a>
  );
}

export interface PictureLinkProps {
  target: string;
  /** Stands in a link, which it then is a part of. */
  isInLink?: boolean;
  children: string;
}

/**
 * A picture of a reply is never fetched by drawing it, since its address could carry away what was said: it is
 * a link with its words and host, followed only by a press.
 */
export function PictureLink(props: PictureLinkProps) {
  return pictureLink(props, useMarkdownLabels().picture);
}

/** A picture as a link. `picture`: what is said of one without words. */
export function pictureLink(
  { target, isInLink = false, children }: PictureLinkProps,
  picture: string,
): ReactElement {
  const link = safeLink(target);
  const words = children === "" ? picture : children;
  if (link === null || isInLink) return <span className={styles.picture}>{words}</span>;
  return (
    <AddressLink target={target}>
      <span className={styles.picture}>
        <bdi>{words}</bdi> (<bdi>{link.host}</bdi>)
      </span>
    </AddressLink>
  );
}
