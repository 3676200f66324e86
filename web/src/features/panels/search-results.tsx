import type { SearchResult } from "@plumb/protocol/conversation/fragment";
import { dayText } from "../../i18n/moment-text.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { safeLink } from "../../markdown/safe-link.ts";
import { SidePanel, type SidePanelProps } from "../../ui/side-panel.tsx";
import { SiteMark } from "../../ui/site-mark.tsx";
import styles from "./search-results.module.css";

interface SearchResultsProps {
  queries: readonly string[];
  results: readonly SearchResult[];
  frame: Pick<SidePanelProps, "closing" | "modal" | "onClose">;
}

/** What a search has found, by the numbers that its answer cites. */
export function SearchResults({ queries, results, frame }: SearchResultsProps) {
  const { t } = useTexts();
  return (
    <SidePanel {...frame} title={t("search.results")} closeLabel={t("common.close")}>
      {/* What scrolls must be within reach of the keys. */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={t("search.results")}>
        <ul className={styles.queries} aria-label={t("search.queries")}>
          {queries.map((query) => (
            <li key={query} className={styles.query}>
              {query}
            </li>
          ))}
        </ul>
        <ol className={styles.results}>
          {results.map((result) => (
            <Result key={result.cite_index ?? result.url} result={result} />
          ))}
        </ol>
      </div>
    </SidePanel>
  );
}

function Result({ result }: { result: SearchResult }) {
  const { cite_index, published_at, site_icon, site_name, snippet, title, url } = result;
  const link = safeLink(url);
  const words = (
    <>
      <span className={styles.head}>
        <SiteMark icon={site_icon} />
        <span className={styles.site}>{site_name ?? link?.host}</span>
        {published_at !== null && <span className={styles.date}>{dayText(published_at)}</span>}
        <span className={styles.number}>{cite_index}</span>
      </span>
      <span className={styles.title}>{title}</span>
      {snippet !== "" && <span className={styles.snippet}>{snippet}</span>}
    </>
  );
  return (
    <li>
      {link === null ? (
        <div className={styles.result}>{words}</div>
      ) : (
        <a className={styles.result} href={link.href} target="_blank" rel="noopener noreferrer nofollow">
          {words}
        </a>
      )}
    </li>
  );
}
