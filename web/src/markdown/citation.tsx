import { Tooltip } from "../ui/tooltip.tsx";
import type { CitationMeta } from "./citation-rule.ts";
import { useCitedSources, type CitedSource } from "./cited-sources.ts";
import { useMarkdownLabels } from "./markdown-labels.ts";
import styles from "./markdown.module.css";
import { safeLink } from "./safe-link.ts";

interface CitationProps extends CitationMeta {
  /** It stands in the words of a link, and can't be one. */
  isInLink: boolean;
}

/** Small numbers that lead to the pages they cite. A number without a source is not shown, nor the blank before it. */
export function Citation({ numbers, before, isInLink }: CitationProps) {
  const sources = useCitedSources();
  const known = numbers.flatMap((number) => {
    const source = sources.get(number);
    return source === undefined ? [] : [{ number, source }];
  });
  if (known.length === 0) return null;
  return (
    <>
      {before}
      {known.map((one) => (
        <Pill key={one.number} {...one} isInLink={isInLink} />
      ))}
    </>
  );
}

interface PillProps {
  number: number;
  source: CitedSource;
  isInLink: boolean;
}

/** The title, site and date of the page are in its tooltip: below, where it does not lie over the card of the search. */
function Pill({ number, source, isInLink }: PillProps) {
  const labels = useMarkdownLabels();
  const link = safeLink(source.url);
  if (link === null || isInLink)
    return (
      <span className={styles.citation} data-uncopied="">
        {number}
      </span>
    );
  const title = source.title.trim();
  const about = [source.siteName?.trim() || link.host, source.date].filter(Boolean).join(" · ");
  const tip = [title.slice(0, 200), about.slice(0, 100)].filter(Boolean).join("\n");
  const name = `${labels.source} ${number}${tip === "" ? "" : `: ${tip.replace("\n", " · ")}`}`;
  return (
    <Tooltip text={tip} side="bottom">
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
