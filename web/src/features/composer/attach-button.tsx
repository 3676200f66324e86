import { useRef } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useReason } from "../../i18n/use-reason.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./attach-button.module.css";
import { attachFiles } from "./attach-files.ts";
import { useAttachBlock } from "./use-attach-block.ts";

/** Opens the browser's choice of files. Where nothing can be attached, it says why. */
export function AttachButton({ sessionKey }: { sessionKey: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const reason = useReason(useAttachBlock(sessionKey));
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          void attachFiles(engine, sessionKey, [...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      <IconButton
        className={styles.button}
        label={t("composer.attach")}
        tip={reason?.words ?? t("composer.attach")}
        icon="attach"
        side="top"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => input.current?.click()}
        {...reason?.attributes}
      />
    </>
  );
}
