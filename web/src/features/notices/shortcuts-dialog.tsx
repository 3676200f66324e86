import { Fragment } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import styles from "./shortcuts-dialog.module.css";

const isMac = /mac|iphone|ipad/i.test(navigator.platform);
const command = isMac ? "⌘" : "Ctrl";

const shortcuts: { text: TextKey; keys: string[] }[] = [
  { text: "shortcuts.newChat", keys: [command, "J"] },
  { text: "shortcuts.search", keys: [command, "K"] },
  { text: "shortcuts.neighbour", keys: ["Alt", "↑", "↓"] },
  { text: "shortcuts.rowMenu", keys: ["Shift", "F10"] },
  { text: "shortcuts.list", keys: [command, "/"] },
  { text: "shortcuts.send", keys: ["Enter"] },
  { text: "shortcuts.newline", keys: ["Shift", "Enter"] },
  { text: "shortcuts.lastPrompt", keys: ["↑"] },
  { text: "shortcuts.close", keys: ["Esc"] },
];

/** What the keys do. */
export function ShortcutsDialog() {
  const engine = useEngine();
  const { t } = useTexts();
  const open = useSelector(engine.site.overlays, (state) => state.shortcuts);
  return (
    <Dialog
      open={open}
      onClose={() => engine.site.setOverlays({ shortcuts: false })}
      title={t("shortcuts.title")}
      closeLabel={t("common.close")}
    >
      <dl className={styles.list}>
        {shortcuts.map(({ text, keys }) => (
          <div key={text} className={styles.row}>
            <dt>{t(text)}</dt>
            <dd>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && " "}
                  <kbd className={styles.key}>{key}</kbd>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
