import { Tooltip } from "../ui/tooltip.tsx";
import { useCitedSource } from "./cited-sources.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";
import { safeLink } from "./safe-link.ts";

interface CitationProps {
  number: number;
  /** As it was written: what a number without a source stays. */
  text: string;
}

/** A small number that leads to the page it cites; its title, site and date are in its tooltip. */
export function Citation({ number, text }: CitationProps) {
  const labels = useMarkdownLabels();
  const source = useCitedSource(number);
  if (source === undefined) return text;
  const link = safeLink(source.url);
  const title = source.title.trim();
  const site = source.siteName?.trim() || link?.host;
  const about = [site, source.date].filter(Boolean).join(" · ");
  const tip = [title.slice(0, 200), about.slice(0, 100)].filter(Boolean).join("\n");
  const name = `${labels.source} ${number}${tip === "" ? "" : `: ${tip.replace("\n", " · ")}`}`;
  if (link === null)
    return (
      <span className={styles.citation} data-uncopied="">
        {number}
      </span>
    );
  return (
    <Tooltip text={tip} side="top">
      <a
        className={styles.citation}
        data-cites={number}
        href={link.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label={name}
      >
        {number}
      </a>
    </Tooltip>
  );
}
