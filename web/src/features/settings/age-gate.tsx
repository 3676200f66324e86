import { LIMITS } from "@plumb/protocol/limits";
import { useState, type FormEvent } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { ageGateMonths, ageGateYears } from "./age-gate-rules.ts";
import styles from "./age-gate.module.css";

/** Asks for year and month of birth, and goes when they are accepted (requirements 0§4, 0§5). Only signing out leads past it. */
export function AgeGate() {
  const engine = useEngine();
  const { t } = useTexts();
  const settings = useSelector(engine.site.settings, (state) => state.settings);
  const [year, setYear] = useState("");
  const [month, setMonth] = useState("");
  const [sending, setSending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    await (await engine.ownAccount())?.setBirthday(Number(year), Number(month));
    setSending(false);
  }
  const choose = { value: "", label: t("account.choose") };
  const asOptions = (values: number[]) => [
    choose,
    ...values.map((value) => ({ value: String(value), label: String(value) })),
  ];
  return (
    <Dialog
      open
      locked
      onClose={() => {}}
      title={t("account.birthdayTitle")}
      description={t("account.birthdayText", {
        brand: settings?.brand.name ?? "",
        age: settings?.age_gate.min_age ?? LIMITS.ageGateMinYears,
      })}
      closeLabel={t("common.close")}
    >
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <div className={styles.fields}>
          <SelectField
            label={t("account.birthdayYear")}
            value={year}
            options={asOptions(ageGateYears(new Date().getFullYear()))}
            onChange={setYear}
          />
          <SelectField
            label={t("account.birthdayMonth")}
            value={month}
            options={asOptions(ageGateMonths)}
            onChange={setMonth}
          />
        </div>
        <div className={styles.buttons}>
          <Button disabled={sending} onClick={() => void engine.accounts.signOut()}>
            {t("profile.logout")}
          </Button>
          <Button type="submit" variant="primary" disabled={year === "" || month === ""} loading={sending}>
            {t("account.confirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
