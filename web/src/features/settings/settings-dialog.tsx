import { Tabs } from "radix-ui";
import { Suspense, useState, type MouseEvent, type ReactNode } from "react";
import type { SettingsTab } from "../../engine/site/overlays.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useBackCloses } from "../../ui/layers.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AccountTab } from "./account-tab.tsx";
import { DataTab } from "./data-tab.tsx";
import { GeneralTab } from "./general-tab.tsx";
import { OwnSignIns } from "./own-sign-ins.tsx";
import { PolicyTab } from "./policy-tab.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./settings-dialog.module.css";

const tabs: [tab: SettingsTab, text: TextKey][] = [
  ["general", "settings.general"],
  ["account", "account.tab"],
  ["data", "settings.data"],
  ["policy", "policy.tab"],
];

/** Before the tab takes the focus by script, as it does: it would show the ring of what had the focus by the keys. */
function focusQuietly({ button, currentTarget }: MouseEvent<HTMLElement>): void {
  if (button === 0) currentTarget.focus({ focusVisible: false });
}

type SubScreen = "links" | "signIns";

interface SettingsDialogProps {
  /** The list of the user's shared links; null where there is no sharing. */
  sharedLinks: ReactNode;
}

/** The settings, by tabs. A sub-screen takes their place while it is open. */
export function SettingsDialog({ sharedLinks }: SettingsDialogProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const open = useSelector(engine.site.overlays, (state) => state.settings);
  /** What it shows while it fades, too. */
  const [shown, setShown] = useState<SettingsTab>(open ?? "general");
  const [subScreen, setSubScreen] = useState<SubScreen | null>(null);
  /** This one has just been left: the focus goes back to where it was opened. */
  const [left, setLeft] = useState<SubScreen | null>(null);
  if (open !== null && open !== shown) setShown(open);
  // Whoever has closed it.
  if (open === null && (subScreen !== null || left !== null)) {
    setSubScreen(null);
    setLeft(null);
  }

  function close() {
    engine.site.setOverlays({ settings: null });
  }
  function leaveSubScreen() {
    setLeft(subScreen);
    setSubScreen(null);
  }
  useBackCloses(subScreen !== null, leaveSubScreen);
  const common = {
    open: open !== null,
    onClose: close,
    closeLabel: t("common.close"),
    size: "medium",
  } as const;
  if (subScreen !== null)
    return (
      <Dialog {...common} title={t(subScreen === "links" ? "data.sharedLinks" : "account.signIns")}>
        <div className={styles.subScreen}>
          <Button autoFocus variant="ghost" className={styles.back} onClick={leaveSubScreen}>
            <Icon name="chevronLeft" small />
            {t("settings.back")}
          </Button>
          {subScreen === "links" ? (
            <Suspense fallback={<Skeleton />}>{sharedLinks}</Suspense>
          ) : (
            <OwnSignIns />
          )}
        </div>
      </Dialog>
    );
  return (
    <Dialog {...common} title={t("settings.title")}>
      <Tabs.Root
        value={shown}
        onValueChange={(tab) => {
          setLeft(null);
          engine.site.setOverlays({ settings: tab as SettingsTab });
        }}
      >
        <Tabs.List className={styles.list} aria-label={t("settings.title")}>
          {tabs.map(([tab, text]) => (
            <Tabs.Trigger key={tab} className={styles.tab} value={tab} onMouseDown={focusQuietly}>
              {t(text)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content className={styles.panel} value="general">
          <GeneralTab />
        </Tabs.Content>
        <Tabs.Content className={styles.panel} value="account">
          <AccountTab hasLeftSignIns={left === "signIns"} onSignIns={() => setSubScreen("signIns")} />
        </Tabs.Content>
        <Tabs.Content className={styles.panel} value="data">
          <DataTab
            sharedLinks={
              sharedLinks !== null && (
                <SettingRow label={t("data.sharedLinks")}>
                  <Button autoFocus={left === "links"} onClick={() => setSubScreen("links")}>
                    {t("data.manage")}
                  </Button>
                </SettingRow>
              )
            }
          />
        </Tabs.Content>
        <Tabs.Content className={styles.panel} value="policy">
          <PolicyTab />
        </Tabs.Content>
      </Tabs.Root>
    </Dialog>
  );
}
