import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { useCallback, useEffect, useEffectEvent, useRef, useState, type RefObject } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { openPdf, type OpenPdf } from "./open-pdf.ts";
import { PdfPage } from "./pdf-page.tsx";
import styles from "./pdf-view.module.css";
import { ZoomBar } from "./zoom-bar.tsx";
import { ViewLoading, type ViewProps } from "./view-loading.tsx";

interface PdfViewProps extends ViewProps {
  /** Another link to the same file; null where there is none. */
  renew: () => Promise<string | null>;
}

interface OpenedPdf {
  opened: OpenPdf;
  document: PDFDocumentProxy;
  pages: number;
  /** Height of its first page for a width of 1: what is taken for the others until they are seen. */
  ratio: number;
}

/** The pages of a PDF, one below the other. Only those near the screen are drawn. */
export function PdfView({ url, name, renew, onFailed }: PdfViewProps) {
  const { t } = useTexts();
  const { pdf, isOpening, openAgain } = usePdf(url, { renew, onFailed });
  const scroller = useRef<HTMLDivElement>(null);
  const width = useInnerWidth(scroller, pdf !== null);
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState(1);
  const onAgain = useCallback(() => {
    // The button that has it goes.
    scroller.current?.focus({ preventScroll: true });
    openAgain();
  }, [openAgain]);
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
              isOpening={isOpening}
              onAgain={onAgain}
            />
          ))}
      </div>
      <ZoomBar zoom={zoom} onZoom={setZoom}>
        {t("files.page", { page, pages })}
      </ZoomBar>
    </>
  );
}

/**
 * The document behind a link; null while it is on its way. Opened anew it takes the place of the one before when its first page
 * is there: until then, and where it never is, that one stays.
 */
function usePdf(url: string, { renew, onFailed }: Pick<PdfViewProps, "renew" | "onFailed">) {
  const [pdf, setPdf] = useState<OpenedPdf | null>(null);
  const [link, setLink] = useState({ url });
  const [isOpening, setIsOpening] = useState(false);
  const inUse = useRef<OpenPdf | null>(null);
  const failed = useEffectEvent((reason: unknown) => {
    setIsOpening(false);
    if (pdf === null) return onFailed(reason);
    console.info("[plumb] a PDF was not opened anew", reason);
  });
  useEffect(() => {
    let wanted = true;
    const opened = openPdf(link.url);
    async function read() {
      const document = await opened.document;
      const first = (await document.getPage(1)).getViewport({ scale: 1 });
      if (!wanted) return;
      setPdf({ opened, document, pages: document.numPages, ratio: first.height / first.width });
      setIsOpening(false);
    }
    read().catch((error: unknown) => {
      if (!wanted) return;
      opened.close();
      failed(error);
    });
    return () => {
      wanted = false;
      if (inUse.current !== opened) opened.close();
    };
  }, [link]);
  useEffect(() => {
    inUse.current = pdf?.opened ?? null;
    return () => pdf?.opened.close();
  }, [pdf]);
  const openAgain = useCallback(() => {
    setIsOpening(true);
    renew().then(
      (fresh) => (fresh === null ? setIsOpening(false) : setLink({ url: fresh })),
      () => setIsOpening(false),
    );
  }, [renew]);
  return { pdf, isOpening, openAgain };
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
