import { useMemo } from "react";
import { useEngine } from "../hooks/use-engine.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import type { MarkdownLabels } from "../markdown/markdown-labels.ts";

/** The texts of drawn Markdown in the current locale. */
export function useLocalMarkdownLabels(): MarkdownLabels {
  const engine = useEngine();
  const { t } = useTexts();
  return useMemo(
    () => ({
      copy: t("common.copy"),
      copied: t("common.copied"),
      copyFailed: t("markdown.copyFailed"),
      download: t("markdown.download"),
      showCode: t("markdown.code"),
      showDiagram: t("markdown.diagram"),
      drawing: t("markdown.drawing"),
      diagramFailed: t("markdown.diagramFailed"),
      diagramOutside: t("markdown.diagramOutside"),
      source: t("markdown.source"),
      run: t("markdown.run"),
      downloadPicture: t("markdown.downloadPicture"),
      downloadCode: t("markdown.downloadCode"),
      plainText: t("markdown.plainText"),
      code: t("markdown.code"),
      table: t("markdown.table"),
      diagram: t("markdown.diagram"),
      picture: t("markdown.picture"),
      taskDone: t("markdown.taskDone"),
      taskOpen: t("markdown.taskOpen"),
      footnote: t("markdown.footnote"),
      footnoteBack: t("markdown.footnoteBack"),
      alerts: {
        note: t("markdown.alertNote"),
        tip: t("markdown.alertTip"),
        important: t("markdown.alertImportant"),
        warning: t("markdown.alertWarning"),
        caution: t("markdown.alertCaution"),
      },
      onDiagramFailed: () =>
        engine.site.showToast({
          type: "error",
          text: { key: "markdown.diagramFailed" },
          dedupeKey: "diagramFailed",
        }),
      onRun: (language: string, code: string) => engine.site.openPanel({ kind: "html", language, code }),
    }),
    [t, engine],
  );
}
