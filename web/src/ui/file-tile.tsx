import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./file-tile.module.css";
import { IconButton } from "./icon-button.tsx";
import { splitName } from "./split-name.ts";
import { Tooltip } from "./tooltip.tsx";
import hidden from "./visually-hidden.module.css";

const signs = {
  pdf: "M6 3.5h8l4.5 4.5v12.5H6ZM14 3.5V8h4.5M9 16.5c2-1 4.5-5.5 3-6.5s-1 3 3.5 5.5c-2-.3-4.5-.1-6.5 1Z",
  image: "M4.5 5h15v14h-15ZM4.5 16l4.5-4.5 3.5 3.5 2.5-2.5 4.5 4.5M15.5 9.5h.01",
  table: "M4.5 5h15v14h-15ZM4.5 10h15M4.5 14.5h15M10 5v14",
  slides: "M3.5 4.5h17M5 4.5v10.5h14V4.5M12 15v3M8.5 20.5 12 18l3.5 2.5",
  book: "M5 5.5A2 2 0 0 1 7 3.5h12v14H7a2 2 0 0 0-2 2ZM5 19.5a1.5 1.5 0 0 0 1.5 1.5H19v-3.5",
  words: "M6 3.5h8l4.5 4.5v12.5H6ZM14 3.5V8h4.5M9 12h6.5M9 15h6.5M9 18h4",
  code: "M6 3.5h8l4.5 4.5v12.5H6ZM14 3.5V8h4.5M10.5 12 8.5 14.5l2 2.5M14 12l2 2.5-2 2.5",
} as const;

export interface FileTileProps {
  name: string;
  kind: keyof typeof signs;
  /** Its size, or where it stands. */
  note: string;
  state: "busy" | "ok" | "error";
  /** How much of it is on its way, 0 to 100; null where that is not known. */
  percent?: number | null;
  /** Shows what is in it; null where that cannot be. */
  open?: { label: string; run: () => void } | null;
  retry?: { label: string; run: () => void } | null;
  remove?: { label: string; run: () => void } | null;
}

/** One file: its kind, its name cut in the middle, and where it stands. */
export function FileTile({ name, kind, note, state, percent = null, open, retry, remove }: FileTileProps) {
  const { start, end } = splitName(name);
  const inside: ReactNode = (
    <>
      <span className={styles.sign}>
        <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
          <path d={signs[kind]} />
        </svg>
        {state === "busy" && <Ring percent={percent} />}
      </span>
      <span className={styles.words}>
        <span className={hidden.hidden}>{open == null ? name : open.label}</span>
        <span className={styles.name} dir="auto" aria-hidden="true">
          <span className={styles.start}>{start}</span>
          {/* A year before the dot is no Arabic, whatever the name ends in. */}
          <span className={styles.end} dir="auto">
            {end}
          </span>
        </span>
        <span className={styles.note}>{note}</span>
      </span>
    </>
  );
  return (
    <li className={styles.tile} data-state={state}>
      <Tooltip text={name} whenCut>
        {open == null ? (
          <div className={styles.face}>{inside}</div>
        ) : (
          <button type="button" className={cx(styles.face, styles.opens)} onClick={open.run}>
            {inside}
          </button>
        )}
      </Tooltip>
      {retry != null && (
        <IconButton className={styles.press} label={retry.label} icon="retry" small onClick={retry.run} />
      )}
      {remove != null && (
        <IconButton className={styles.press} label={remove.label} icon="close" small onClick={remove.run} />
      )}
    </li>
  );
}

const RADIUS = 17;
const ROUND = 2 * Math.PI * RADIUS;

/** How far it is, as a ring around the sign; it turns where that is not known. */
function Ring({ percent }: { percent: number | null }) {
  const shown = percent ?? 25;
  return (
    <svg
      className={cx(styles.ring, percent === null && styles.turning)}
      viewBox="0 0 36 36"
      aria-hidden="true"
    >
      <circle cx="18" cy="18" r={RADIUS} className={styles.track} />
      <circle
        cx="18"
        cy="18"
        r={RADIUS}
        className={styles.done}
        strokeDasharray={ROUND}
        strokeDashoffset={ROUND * (1 - shown / 100)}
      />
    </svg>
  );
}
