import { Suspense, useEffect } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { usePanel } from "../../hooks/use-panel.ts";
import { loadFileTexts } from "../../i18n/file-texts.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { HtmlRun } from "./html-run.tsx";
import { runnableHtml } from "./runnable-html.ts";
import { SearchResults } from "./search-results.tsx";

/** Few chats have files. */
const filePreview = lazyPart(
  async () => (await Promise.all([import("./file-preview.tsx"), loadFileTexts()]))[0].FilePreview,
);

/** What is in the panel at the right side. `onHere` runs when its code is here and shows it. */
export function SidePanels({ onHere }: { onHere: () => void }) {
  const { site } = useEngine();
  useEffect(onHere, [onHere]);
  const { panel, modal } = usePanel();
  if (panel === null) return null;
  const { id, content } = panel;
  const frame = { closing: panel.phase === "closing", modal, onClose: site.closePanel };
  switch (content.kind) {
    case "html":
      return <HtmlRun key={id} html={runnableHtml(content.language, content.code)} frame={frame} />;
    case "file":
      return (
        <Suspense key={id} fallback={null}>
          <filePreview.Part fileId={content.fileId} name={content.name} frame={frame} />
        </Suspense>
      );
    case "search":
      return <SearchResults key={id} queries={content.queries} results={content.results} frame={frame} />;
  }
}
