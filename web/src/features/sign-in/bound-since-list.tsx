import type { BindingKind, BoundSince } from "@plumb/protocol/wire/bindings";
import { dayText } from "../../i18n/moment-text.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import styles from "./bound-since-list.module.css";
import form from "./form.module.css";

const KIND_TEXTS = {
  email: "binding.email",
  phone: "binding.phone",
  wechat: "binding.wechat",
  google: "binding.google",
} as const satisfies Record<BindingKind, string>;

interface BoundSinceListProps {
  bindings: readonly BoundSince[];
  /** What goes with the reset. */
  ticked: readonly BindingKind[];
  onTick: (ticked: readonly BindingKind[]) => void;
}

/** What was bound to an account since its owner last proved who they are, each to be removed or kept. */
export function BoundSinceList({ bindings, ticked, onTick }: BoundSinceListProps) {
  const { t } = useTexts();
  return (
    <fieldset className={styles.bound}>
      <legend>{t("binding.title")}</legend>
      <p>{t("binding.text")}</p>
      {bindings.map(({ kind, label, bound_at: at }) => (
        <label key={kind} className={form.consent}>
          <span className={form.tick}>
            <input
              name="unbind"
              type="checkbox"
              checked={ticked.includes(kind)}
              onChange={() =>
                onTick(ticked.includes(kind) ? ticked.filter((one) => one !== kind) : [...ticked, kind])
              }
            />
          </span>
          <span>
            {t("binding.remove", { kind: t(KIND_TEXTS[kind]), label })}
            {at !== null && <span className={styles.since}>{t("binding.since", { date: dayText(at) })}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
