import { Tabs } from "radix-ui";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { GeneralTab } from "./general-tab.tsx";
import styles from "./settings-dialog.module.css";

/** The settings, by tabs. */
export function SettingsDialog() {
  const engine = useEngine();
  const { t } = useTexts();
  const tab = useSelector(engine.site.overlays, (state) => state.settings);
  return (
    <Dialog
      open={tab !== null}
      onClose={() => engine.site.setOverlays({ settings: null })}
      title={t("settings.title")}
      closeLabel={t("common.close")}
      size="medium"
    >
      <Tabs.Root value={tab ?? "general"}>
        <Tabs.List className={styles.list} aria-label={t("settings.title")}>
          <Tabs.Trigger className={styles.tab} value="general">
            {t("settings.general")}
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content className={styles.panel} value="general">
          <GeneralTab />
        </Tabs.Content>
      </Tabs.Root>
    </Dialog>
  );
}
