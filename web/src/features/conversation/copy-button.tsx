import { LIMITS } from "@plumb/protocol/limits";
import { useEffect, useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { copyText } from "../../ui/copy-text.ts";
import { IconButton } from "../../ui/icon-button.tsx";

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), LIMITS.copyFeedbackMs);
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
