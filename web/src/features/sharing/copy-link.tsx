import { LIMITS } from "@plumb/protocol/limits";
import { useEffect, useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { copyText } from "../../ui/copy-text.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { linkTo } from "./link-to.ts";

interface CopyLinkProps {
  /** Of the page that is linked to. */
  path: string;
  label: string;
}

/** Copies the link to a share out of a list of them. */
export function CopyLink({ path, label }: CopyLinkProps) {
  const { site } = useEngine();
  const { t } = useTexts();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), LIMITS.copyFeedbackMs);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy() {
    if (await copyText(linkTo(path))) setCopied(true);
    else
      site.showToast({
        type: "warning",
        text: { key: "shareCreateLinkCopyFailed" },
        dedupeKey: "share-not-copied",
      });
  }
  return (
    <IconButton
      label={copied ? t("common.copied") : label}
      tip={t(copied ? "common.copied" : "common.copy")}
      icon={copied ? "check" : "copy"}
      onClick={() => void copy()}
    />
  );
}
