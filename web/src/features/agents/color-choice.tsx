import { AVATAR_COLORS } from "@plumb/protocol/rules/character-rules";
import { useId } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import hidden from "../../ui/visually-hidden.module.css";
import styles from "./color-choice.module.css";

const names = {
  "#0f6b75": "persona.teal",
  "#2f5fb3": "persona.blue",
  "#6a4fb6": "persona.purple",
  "#a23e83": "persona.pink",
  "#b23b3b": "persona.red",
  "#a35a12": "persona.orange",
  "#5f7119": "persona.green",
  "#5b6470": "persona.grey",
} as const satisfies Record<(typeof AVATAR_COLORS)[number], string>;

/** The offered colours of an avatar, as a group of radio buttons. */
export function ColorChoice({ value, onChange }: { value: string; onChange: (color: string) => void }) {
  const { t } = useTexts();
  const name = useId();
  return (
    <fieldset className={styles.colors}>
      <legend className={hidden.hidden}>{t("persona.avatarColor")}</legend>
      {AVATAR_COLORS.map((color) => (
        <label key={color} className={styles.color} style={{ background: color }}>
          <input
            type="radio"
            name={name}
            className={styles.radio}
            aria-label={t(names[color])}
            checked={value === color}
            onChange={() => onChange(color)}
          />
        </label>
      ))}
    </fieldset>
  );
}
