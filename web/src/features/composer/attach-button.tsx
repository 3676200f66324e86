import { useRef } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./attach-button.module.css";
import { attachFiles } from "./attach-files.ts";
import { useAttachBlock } from "./use-attach-block.ts";

/** Opens the browser's choice of files. Where nothing can be attached, its tooltip says why. */
export function AttachButton({ sessionKey }: { sessionKey: string }) {
  const engine = useEngine();
  const { t, show } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const blocked = useAttachBlock(sessionKey);
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
        tip={blocked === null ? t("composer.attach") : show(blocked)}
        icon="attach"
        side="top"
        aria-disabled={blocked !== null}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => blocked === null && input.current?.click()}
      />
    </>
  );
}
