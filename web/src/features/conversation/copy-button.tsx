import { useEffect, useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { copyText } from "../../ui/copy-text.ts";
import { IconButton } from "../../ui/icon-button.tsx";

/** How long the tick shows (1§9). */
const COPIED_FOR_MS = 1000;

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_FOR_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (await copyText(text)) setCopied(true);
    else
      engine.site.showToast({ type: "error", text: { key: "common.copyFailed" }, dedupeKey: "copyFailed" });
  }
  return (
    <IconButton
      small
      label={copied ? t("common.copied") : (label ?? t("common.copy"))}
      icon={copied ? "check" : "copy"}
      onClick={() => void copy()}
    />
  );
}
