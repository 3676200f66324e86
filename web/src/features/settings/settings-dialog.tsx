import { Tabs } from "radix-ui";
import { Suspense, useState, type ReactNode } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DataTab } from "./data-tab.tsx";
import { GeneralTab } from "./general-tab.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./settings-dialog.module.css";

type Tab = "general" | "data";

interface SettingsDialogProps {
  /** The list of the user's shared links; null where there is no sharing. */
  sharedLinks: ReactNode;
}

/** The settings, by tabs. The list of shared links takes their place while it is open. */
export function SettingsDialog({ sharedLinks }: SettingsDialogProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const open = useSelector(engine.site.overlays, (state) => state.settings);
  /** What it shows while it fades, too. */
  const [shown, setShown] = useState<Tab>(open ?? "general");
  const [linksOpen, setLinksOpen] = useState(false);
  if (open !== null && open !== shown) setShown(open);

  function close() {
    engine.site.setOverlays({ settings: null });
    setLinksOpen(false);
  }
  const common = {
    open: open !== null,
    onClose: close,
    closeLabel: t("common.close"),
    size: "medium",
  } as const;
  if (linksOpen)
    return (
      <Dialog {...common} title={t("data.sharedLinks")}>
        <Button autoFocus variant="ghost" className={styles.back} onClick={() => setLinksOpen(false)}>
          <Icon name="chevronLeft" small />
          {t("settings.back")}
        </Button>
        <Suspense fallback={<Skeleton />}>{sharedLinks}</Suspense>
      </Dialog>
    );
  return (
    <Dialog {...common} title={t("settings.title")}>
      <Tabs.Root value={shown} onValueChange={(tab) => engine.site.setOverlays({ settings: tab as Tab })}>
        <Tabs.List className={styles.list} aria-label={t("settings.title")}>
          <Tabs.Trigger className={styles.tab} value="general">
            {t("settings.general")}
          </Tabs.Trigger>
          <Tabs.Trigger className={styles.tab} value="data">
            {t("settings.data")}
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content className={styles.panel} value="general">
          <GeneralTab />
        </Tabs.Content>
        <Tabs.Content className={styles.panel} value="data">
          <DataTab
            sharedLinks={
              sharedLinks !== null && (
                <SettingRow label={t("data.sharedLinks")}>
                  <Button onClick={() => setLinksOpen(true)}>{t("data.manage")}</Button>
                </SettingRow>
              )
            }
          />
        </Tabs.Content>
      </Tabs.Root>
    </Dialog>
  );
}
