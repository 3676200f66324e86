import type { ReactNode } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./zoom-bar.module.css";

const STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 6, 8];

interface ZoomBarProps {
  /** 1 is the size that fits. */
  zoom: number;
  onZoom: (zoom: number) => void;
  /** What is said at its other end. */
  children?: ReactNode;
}

/** The presses that make a preview larger and smaller. */
export function ZoomBar({ zoom, onZoom, children }: ZoomBarProps) {
  const { t } = useTexts();
  const percent = Math.round(zoom * 100);
  const smaller = STEPS.findLast((step) => step < zoom - 0.01);
  const larger = STEPS.find((step) => step > zoom + 0.01);
  return (
    <div className={styles.bar}>
      <span className={styles.place}>{children}</span>
      <IconButton
        label={t("files.smaller")}
        icon="minus"
        aria-disabled={smaller === undefined}
        onClick={() => smaller !== undefined && onZoom(smaller)}
      />
      <button
        type="button"
        className={styles.zoom}
        onClick={() => onZoom(1)}
        aria-label={t("files.fit", { percent })}
      >
        {percent}%
      </button>
      <IconButton
        label={t("files.larger")}
        icon="plus"
        aria-disabled={larger === undefined}
        onClick={() => larger !== undefined && onZoom(larger)}
      />
    </div>
  );
}
