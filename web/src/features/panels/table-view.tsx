import { memo, useMemo } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { Tooltip } from "../../ui/tooltip.tsx";
import note from "./file-preview.module.css";
import styles from "./table-view.module.css";
import { useFileText } from "./use-file-text.ts";
import { useNearby } from "./use-nearby.ts";
import { useTable } from "./use-table.ts";
import { ViewLoading, type ViewProps } from "./view-loading.tsx";

/** Rows in a part that is drawn at once. */
const CHUNK = 50;

/** A table with its first row as its head; of a long one only what is near the screen is drawn. */
export function TableView({ url, name, onFailed }: ViewProps) {
  const { t } = useTexts();
  const loaded = useFileText(url, onFailed);
  const table = useTable(name, loaded?.text ?? null);
  const chunks = useMemo(() => chunksOf(table?.rows.slice(1) ?? []), [table]);
  if (loaded === null || table === null) return <ViewLoading />;
  const [head] = table.rows;
  if (head === undefined) return <p className={note.empty}>{t("files.empty")}</p>;
  const { columns, rows } = table;
  return (
    <>
      <div className={styles.scroller} role="region" aria-label={name} tabIndex={0}>
        <table className={styles.table} aria-rowcount={rows.length}>
          <colgroup>
            <col style={{ width: `${String(rows.length).length + 3}ch` }} />
            {columns.map((width, index) => (
              <col key={index} style={{ width: `calc(${width}ch + 2 * var(--space-2))` }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              <td className={styles.number} />
              {columns.map((_, index) =>
                head[index] ? (
                  <Tooltip key={index} text={head[index]} whenCut>
                    <th scope="col">{head[index]}</th>
                  </Tooltip>
                ) : (
                  // A column without a name has no heading to be read out.
                  <td key={index} />
                ),
              )}
            </tr>
          </thead>
          {chunks.map((chunk, index) => (
            <Chunk key={index} rows={chunk} first={index * CHUNK + 1} columns={columns.length} />
          ))}
        </table>
      </div>
      {(table.isCut || loaded.isCut) && <p className={note.note}>{t("files.cut")}</p>}
    </>
  );
}

type Rows = readonly (readonly string[])[];

function chunksOf(rows: Rows): readonly Rows[] {
  const count = Math.ceil(rows.length / CHUNK);
  return Array.from({ length: count }, (_, index) => rows.slice(index * CHUNK, (index + 1) * CHUNK));
}

interface ChunkProps {
  rows: Rows;
  /** The number of its first row, from 1. */
  first: number;
  columns: number;
}

const Chunk = memo(function Chunk({ rows, first, columns }: ChunkProps) {
  const { place, isNear } = useNearby<HTMLTableSectionElement>(first === 1);
  return (
    <tbody ref={place}>
      {isNear ? (
        rows.map((row, index) => (
          <tr key={index}>
            <td className={styles.number} aria-hidden="true">
              {first + index}
            </td>
            {Array.from({ length: columns }, (_, column) => (
              <Tooltip key={column} text={row[column] ?? ""} whenCut>
                <td dir="auto">{row[column]}</td>
              </Tooltip>
            ))}
          </tr>
        ))
      ) : (
        <tr>
          <td colSpan={columns + 1} style={{ height: `calc(${rows.length} * var(--row))` }} />
        </tr>
      )}
    </tbody>
  );
});
