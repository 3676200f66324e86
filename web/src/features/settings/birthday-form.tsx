import type { FormEvent } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { ageGateMonths, ageGateYears } from "./age-gate-rules.ts";
import styles from "./age-gate.module.css";

interface BirthdayFormProps {
  /** "" until one is chosen. */
  year: string;
  month: string;
  sending: boolean;
  onYear: (year: string) => void;
  onMonth: (month: string) => void;
  onSubmit: () => void;
  onLeave: () => void;
}

/** Year and month of birth; both are needed (requirements 0§5). */
export function BirthdayForm(props: BirthdayFormProps) {
  const { year, month, sending, onYear, onMonth, onSubmit, onLeave } = props;
  const { t } = useTexts();
  const asOptions = (values: number[]) => [
    { value: "", label: t("account.choose") },
    ...values.map((value) => ({ value: String(value), label: String(value) })),
  ];
  const isWhole = year !== "" && month !== "";

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isWhole && !sending) onSubmit();
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.fields}>
        <SelectField
          label={t("account.birthdayYear")}
          value={year}
          options={asOptions(ageGateYears(new Date().getFullYear()))}
          onChange={onYear}
        />
        <SelectField
          label={t("account.birthdayMonth")}
          value={month}
          options={asOptions(ageGateMonths)}
          onChange={onMonth}
        />
      </div>
      <div className={styles.buttons}>
        <Button disabled={sending} onClick={onLeave}>
          {t("profile.logout")}
        </Button>
        <Button type="submit" variant="primary" disabled={!isWhole} loading={sending}>
          {t("account.confirm")}
        </Button>
      </div>
    </form>
  );
}
