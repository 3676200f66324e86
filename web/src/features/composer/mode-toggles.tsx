import { Suspense } from "react";
import { LIMITS } from "@plumb/protocol/limits";
import { isCharacterId } from "@plumb/protocol/rules/character-id";
import type { Text } from "../../engine/text.ts";
import { modeBlock } from "../../engine/turns/turn-modes.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useModelInUse, useOfferedModels } from "../../hooks/use-models.ts";
import { useReason } from "../../i18n/use-reason.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { loadDialogTexts } from "../../i18n/dialog-texts.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { cx } from "../../ui/cx.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import hidden from "../../ui/visually-hidden.module.css";
import styles from "./mode-toggles.module.css";

/** Only where there is a choice of models. */
const modelSelect = lazyPart(
  async () => (await Promise.all([import("./model-select.tsx"), loadDialogTexts()]))[0].ModelSelect,
);

interface ModeTogglesProps {
  agentId: string;
  compact: boolean;
  /** Files are attached to what is written. */
  hasFiles: boolean;
}

/** Deep thinking, web search and the choice of a model, each only where the server and the agent offer it. `compact` shows the icons alone. Files go without thinking and without search. */
export function ModeToggles({ agentId, compact, hasFiles }: ModeTogglesProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const thinkingOn = useSelector(engine.site.preferences, (state) => state.thinkingEnabled);
  const searchOn = useSelector(engine.site.preferences, (state) => state.searchEnabled);
  const models = useOfferedModels();
  const asked = useModelInUse();
  const known = useSelector(engine.site.settings, ({ settings }) => settings !== null);
  // Beside the field, what comes later would push it: its place is kept.
  const place = compact ? <span className={styles.place} /> : null;
  const thinking = useSelector(engine.site.settings, ({ settings }) => {
    const agent = settings?.agents.find(({ id }) => id === agentId);
    return (asked?.thinking ?? settings?.thinking.available) === true && agent?.thinking !== false;
  });
  const quota = useSelector(engine.accounts.thinkingQuota, (state) => state.quota);
  const perDay = useSelector(engine.site.settings, ({ settings }) => settings?.thinking.quota);
  const limited = (quota?.quota ?? perDay ?? LIMITS.quotaUnlimited) < LIMITS.quotaUnlimited;
  const left = quota === null || !limited ? null : Math.max(0, quota.quota - quota.used);
  const search = useSelector(engine.site.settings, ({ settings }) => {
    const agent = settings?.agents.find(({ id }) => id === agentId);
    return settings?.search.available === true && agent?.search !== false && !isCharacterId(agentId);
  });
  /** Thinking and search exclude each other (wire-contract.md §11.2). */
  const instead = (tip: string, on: boolean, other: string, otherOn: boolean): string =>
    otherOn && !on ? t("composer.turnsOff", { tip, other }) : tip;
  return (
    <div className={styles.toggles}>
      {/* The one that most installations have, and its number. */}
      {!known && compact && <span className={cx(styles.place, thinkingOn && styles.counted)} />}
      {thinking && (
        <Toggle
          label={t("composer.thinking")}
          blocked={modeBlock("thinking", { hasFiles })}
          tooltip={instead(
            left === null
              ? t("composer.thinkingTip")
              : t("composer.thinkingLeft", { left, quota: quota?.quota ?? 0 }),
            thinkingOn,
            t("composer.search"),
            search && searchOn,
          )}
          icon="think"
          // A tooltip is found by no finger.
          count={thinkingOn && limited ? (left ?? "") : null}
          compact={compact}
          on={thinkingOn}
          onToggle={() => engine.site.setPreferences({ thinkingEnabled: !thinkingOn })}
        />
      )}
      {search && (
        <Toggle
          label={t("composer.search")}
          blocked={modeBlock("search", { hasFiles })}
          tooltip={instead(t("composer.searchTip"), searchOn, t("composer.thinking"), thinking && thinkingOn)}
          icon="globe"
          compact={compact}
          on={searchOn}
          onToggle={() => engine.site.setPreferences({ searchEnabled: !searchOn })}
        />
      )}
      {models.length > 1 && (
        <Suspense fallback={place}>
          <modelSelect.Part compact={compact} />
        </Suspense>
      )}
    </div>
  );
}

interface ToggleProps {
  label: string;
  tooltip: string;
  /** Why it can't be used now; null where it can. */
  blocked: Text | null;
  icon: IconName;
  /** How many uses are left, beside the label, "" before it is known; a reader hears it with the description. */
  count?: number | "" | null;
  compact: boolean;
  on: boolean;
  onToggle: () => void;
}

function Toggle({ label, tooltip, blocked, icon, count = null, compact, on, onToggle }: ToggleProps) {
  const reason = useReason(blocked);
  return (
    <Tooltip text={reason?.words ?? tooltip}>
      <button
        type="button"
        className={cx(styles.toggle, compact && styles.compact, compact && count !== null && styles.counted)}
        aria-pressed={on && blocked === null}
        // What a finger finds no tooltip for.
        aria-description={tooltip}
        // A field that is written in keeps the focus, and with it its size and a phone's keyboard.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onToggle}
        {...reason?.attributes}
      >
        <Icon name={icon} small />
        <span className={compact ? hidden.hidden : undefined}>{label}</span>
        {count !== null && (
          <span className={styles.count} aria-hidden="true">
            {count}
          </span>
        )}
      </button>
    </Tooltip>
  );
}
