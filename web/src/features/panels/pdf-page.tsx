import { TextLayer, type PDFDocumentProxy, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { memo, useEffect, useRef, useState, type CSSProperties } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./pdf-view.module.css";
import { useNearby } from "./use-nearby.ts";

/** A canvas has at most so many pixels; a page that is zoomed beyond is drawn less sharp. */
const MOST_PIXELS = 16 * 1024 * 1024;

interface PdfPageProps {
  document: PDFDocumentProxy;
  /** From 1. */
  number: number;
  label: string;
  /** CSS pixels. */
  width: number;
  /** Height for a width of 1, until its own is known. */
  ratio: number;
  /** The document is being opened anew. */
  isOpening: boolean;
  /** Opens it anew: what could not be read of it once is never asked for again. */
  onAgain: () => void;
}

/** One page: its picture, and above that its text, to be selected and read aloud. */
export const PdfPage = memo(function PdfPage({
  document,
  number,
  label,
  width,
  ratio,
  isOpening,
  onAgain,
}: PdfPageProps) {
  const { t } = useTexts();
  const { place, isNear } = useNearby<HTMLDivElement>(number === 1);
  const drawn = useRef<HTMLDivElement>(null);
  const [ownRatio, setOwnRatio] = useState<number | null>(null);
  /** Another one of the same file has its own chance. */
  const [failedOf, setFailedOf] = useState<PDFDocumentProxy | null>(null);
  const failed = failedOf === document;
  useEffect(() => {
    const target = drawn.current;
    if (!isNear || target === null) return undefined;
    const stop = new AbortController();
    async function draw(to: HTMLElement) {
      const page = await document.getPage(number);
      if (stop.signal.aborted) return;
      const { width: own, height } = page.getViewport({ scale: 1 });
      setOwnRatio(height / own);
      await drawPage(page, { to, scale: width / own, signal: stop.signal });
    }
    draw(target).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      setFailedOf(document);
      console.info("[plumb] a page of a PDF was not drawn", error);
    });
    return () => stop.abort();
  }, [document, number, width, isNear]);
  const style: CSSProperties = { width, height: Math.round(width * (ownRatio ?? ratio)) };
  return (
    <div ref={place} className={styles.page} style={style} role="group" aria-label={label}>
      {isNear && !failed && <div ref={drawn} />}
      {failed && (
        <div className={styles.failed}>
          <p>{t("files.pageFailed")}</p>
          <Button loading={isOpening} onClick={onAgain}>
            {t("common.retry")}
          </Button>
        </div>
      )}
    </div>
  );
});

interface Drawing {
  to: HTMLElement;
  /** CSS pixels for a point of the page. */
  scale: number;
  signal: AbortSignal;
}

/** Draws a page in place of what stands there, once it is complete. */
async function drawPage(page: PDFPageProxy, { to, scale, signal }: Drawing): Promise<void> {
  const viewport = page.getViewport({ scale });
  const wanted = Math.min(3, window.devicePixelRatio);
  const sharpness = Math.min(wanted, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)));
  const fine = page.getViewport({ scale: scale * sharpness });
  const canvas = window.document.createElement("canvas");
  canvas.width = Math.floor(fine.width);
  canvas.height = Math.floor(fine.height);
  const task = page.render({ canvas, viewport: fine });
  signal.addEventListener("abort", () => task.cancel(), { once: true });
  await task.promise;
  const text = window.document.createElement("div");
  text.className = styles.text ?? "";
  text.style.setProperty("--total-scale-factor", String(scale));
  to.replaceChildren(canvas, text);
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
  signal.addEventListener("abort", () => layer.cancel(), { once: true });
  await layer.render();
}
