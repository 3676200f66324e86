import { useEngine } from "../../hooks/use-engine.tsx";
import { useModelInUse, useOfferedModels } from "../../hooks/use-models.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu } from "../../ui/menu.tsx";
import styles from "./model-select.module.css";

/** The model that is asked, and the others to choose from. `compact` shows the icon alone. */
export function ModelSelect({ compact }: { compact: boolean }) {
  const engine = useEngine();
  const { t } = useTexts();
  const models = useOfferedModels();
  const asked = useModelInUse();
  return (
    <Menu
      label={t("composer.models")}
      side="top"
      align="start"
      items={models.map(({ id, name }) => ({
        key: id,
        label: name,
        checked: id === asked?.id,
        onSelect: () => engine.turns.chooseModel(id),
      }))}
      trigger={
        <button
          type="button"
          className={cx(styles.select, compact && styles.compact)}
          aria-label={t("composer.model", { model: asked?.name ?? "" })}
        >
          {!compact && <span className={styles.name}>{asked?.name}</span>}
          <Icon name={compact ? "model" : "chevronDown"} small />
        </button>
      }
    />
  );
}
