import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { openPdf } from "./open-pdf.ts";
import { PdfPage } from "./pdf-page.tsx";
import styles from "./pdf-view.module.css";
import { ZoomBar } from "./zoom-bar.tsx";
import { ViewLoading, type ViewProps } from "./view-loading.tsx";

interface OpenedPdf {
  document: PDFDocumentProxy;
  pages: number;
  /** Height of its first page for a width of 1: what is taken for the others until they are seen. */
  ratio: number;
}

/** The pages of a PDF, one below the other. Only those near the screen are drawn. */
export function PdfView({ url, name, onFailed }: ViewProps) {
  const { t } = useTexts();
  const pdf = usePdf(url, onFailed);
  const scroller = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(scroller, pdf !== null);
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState(1);
  if (pdf === null) return <ViewLoading />;
  const { document, pages, ratio } = pdf;
  return (
    <>
      <div
        ref={scroller}
        className={styles.scroller}
        role="region"
        aria-label={name}
        tabIndex={0}
        onScroll={({ currentTarget }) => setPage(pageInView(currentTarget))}
      >
        {width > 0 &&
          Array.from({ length: pages }, (_, index) => (
            <PdfPage
              key={index}
              document={document}
              number={index + 1}
              label={t("files.page", { page: index + 1, pages })}
              width={Math.round(width * zoom)}
              ratio={ratio}
            />
          ))}
      </div>
      <ZoomBar zoom={zoom} onZoom={setZoom}>
        {t("files.page", { page, pages })}
      </ZoomBar>
    </>
  );
}

/** The document behind a link; null while it is on its way. */
function usePdf(url: string, onFailed: (reason: unknown) => void): OpenedPdf | null {
  const [pdf, setPdf] = useState<OpenedPdf | null>(null);
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    let wanted = true;
    const opened = openPdf(url);
    async function read() {
      const document = await opened.document;
      const first = (await document.getPage(1)).getViewport({ scale: 1 });
      if (wanted) setPdf({ document, pages: document.numPages, ratio: first.height / first.width });
    }
    read().catch((error: unknown) => {
      if (wanted) failed(error);
    });
    return () => {
      wanted = false;
      opened.close();
    };
  }, [url]);
  return pdf;
}

/** The width that its content has (px); 0 before that is known. */
function useInnerWidth(ref: RefObject<HTMLElement | null>, isHere: boolean): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!isHere || element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, isHere]);
  return width;
}

/** The number of the page in the middle of what is seen; at the end that of the last one. */
function pageInView({ children, scrollTop, clientHeight, scrollHeight }: HTMLElement): number {
  if (scrollTop + clientHeight >= scrollHeight - 1) return children.length;
  const middle = scrollTop + clientHeight / 2;
  let [low, high] = [0, children.length - 1];
  while (low < high) {
    const at = Math.ceil((low + high) / 2);
    if ((children[at] as HTMLElement).offsetTop <= middle) low = at;
    else high = at - 1;
  }
  return low + 1;
}
