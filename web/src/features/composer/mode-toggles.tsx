import { LIMITS } from "@plumb/protocol/limits";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import styles from "./mode-toggles.module.css";

/** Deep thinking and web search, each only where the server and the agent offer it. */
export function ModeToggles({ agentId }: { agentId: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const thinkingOn = useSelector(engine.site.preferences, (state) => state.thinkingEnabled);
  const searchOn = useSelector(engine.site.preferences, (state) => state.searchEnabled);
  const thinking = useSelector(engine.site.settings, ({ settings }) => {
    const agent = settings?.agents.find(({ id }) => id === agentId);
    return settings?.thinking.available === true && agent?.thinking !== false;
  });
  const quota = useSelector(engine.accounts.thinkingQuota, (state) => state.quota);
  const left = quota === null || quota.quota >= LIMITS.quotaUnlimited ? null : quota.quota - quota.used;
  const search = useSelector(engine.site.settings, ({ settings }) => {
    const agent = settings?.agents.find(({ id }) => id === agentId);
    return settings?.search.available === true && agent?.search !== false;
  });
  return (
    <div className={styles.toggles}>
      {thinking && (
        <Toggle
          label={t("composer.thinking")}
          tooltip={
            left === null
              ? t("composer.thinkingTip")
              : t("composer.thinkingLeft", { left: Math.max(0, left), quota: quota?.quota ?? 0 })
          }
          icon="think"
          on={thinkingOn}
          onToggle={() => engine.site.setPreferences({ thinkingEnabled: !thinkingOn })}
        />
      )}
      {search && (
        <Toggle
          label={t("composer.search")}
          tooltip={t("composer.searchTip")}
          icon="globe"
          on={searchOn}
          onToggle={() => engine.site.setPreferences({ searchEnabled: !searchOn })}
        />
      )}
    </div>
  );
}

interface ToggleProps {
  label: string;
  tooltip: string;
  icon: IconName;
  on: boolean;
  onToggle: () => void;
}

function Toggle({ label, tooltip, icon, on, onToggle }: ToggleProps) {
  return (
    <Tooltip text={tooltip}>
      <button type="button" className={styles.toggle} aria-pressed={on} onClick={onToggle}>
        <Icon name={icon} small />
        {label}
      </button>
    </Tooltip>
  );
}
