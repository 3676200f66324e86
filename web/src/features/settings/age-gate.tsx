import { LIMITS } from "@plumb/protocol/limits";
import { useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BirthdayForm } from "./birthday-form.tsx";

/** Asks for year and month of birth, and goes when they are accepted (requirements 0§4, 0§5). Only signing out leads past it. */
export function AgeGate() {
  const engine = useEngine();
  const { t } = useTexts();
  const settings = useSelector(engine.site.settings, (state) => state.settings);
  const [year, setYear] = useState("");
  const [month, setMonth] = useState("");
  const [sending, setSending] = useState(false);

  async function send() {
    setSending(true);
    await (await engine.ownAccount())?.setBirthday(Number(year), Number(month));
    setSending(false);
  }
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
      <BirthdayForm
        year={year}
        month={month}
        sending={sending}
        onYear={setYear}
        onMonth={setMonth}
        onSubmit={() => void send()}
        onLeave={() => void engine.accounts.signOut()}
      />
    </Dialog>
  );
}
