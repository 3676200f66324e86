import { MarkdownLabelsContext, type MarkdownLabels } from "../markdown-labels.ts";
import { StreamingMarkdown, type StreamingMarkdownProps } from "../streaming-markdown.tsx";

export const englishLabels: MarkdownLabels = {
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Could not copy",
  download: "Download",
  showCode: "Code",
  showDiagram: "Diagram",
  drawing: "Drawing…",
  diagramFailed: "This diagram could not be drawn.",
  diagramOutside: "This diagram asks for something from outside, so it is not drawn.",
  source: "Source",
  run: "Run",
  downloadPicture: "Download PNG",
  downloadCode: "Download code",
  plainText: "Text",
  code: "Code",
  table: "Table",
  diagram: "Diagram",
  picture: "Picture",
  taskDone: "Done",
  taskOpen: "To do",
  footnote: "Footnote",
  footnoteBack: "Back to the text",
  alerts: { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" },
};

/** A text with its labels, where no page frame gives them. */
export function EnglishMarkdown(props: StreamingMarkdownProps) {
  return (
    <MarkdownLabelsContext value={englishLabels}>
      <StreamingMarkdown {...props} />
    </MarkdownLabelsContext>
  );
}
