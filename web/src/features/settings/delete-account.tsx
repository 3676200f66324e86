import { useState, type FormEvent } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./delete-account.module.css";

/** The end of the account: a phrase must be typed first (requirements 0§5). */
export function DeleteAccount() {
  const { t } = useTexts();
  const [asking, setAsking] = useState(false);
  return (
    <SettingRow label={t("account.delete")}>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("account.deleteButton")}
      </Button>
      {asking && <PhraseDialog onClose={() => setAsking(false)} />}
    </SettingRow>
  );
}

function PhraseDialog({ onClose }: { onClose: () => void }) {
  const engine = useEngine();
  const { t } = useTexts();
  const [typed, setTyped] = useState("");
  const [deleting, setDeleting] = useState(false);
  const phrase = t("account.deletePhrase");
  const fits = typed === phrase;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!fits || deleting) return;
    setDeleting(true);
    await (await engine.ownAccount())?.remove();
    // Where it is deleted, the page has left already.
    setDeleting(false);
  }
  return (
    <Dialog
      open
      locked={deleting}
      onClose={onClose}
      title={t("account.deleteTitle")}
      description={t("account.deleteText")}
      closeLabel={t("common.close")}
    >
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <TextField
          autoFocus
          label={t("account.deleteLabel", { phrase })}
          value={typed}
          maxLength={phrase.length * 2}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={phrase}
          disabled={deleting}
          onChange={(event) => setTyped(event.target.value)}
        />
        <SupportNote />
        <div className={styles.buttons}>
          <Button onClick={onClose} disabled={deleting}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" variant="danger" disabled={!fits} loading={deleting}>
            {t("account.delete")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Whom to write to, where the operator has said it. */
function SupportNote() {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const email = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.support.email ?? settings?.links[locale]?.contact_email ?? null,
  );
  if (email === null || email === "") return null;
  const [before, after] = t("account.deleteNote").split("<email>");
  return (
    <p className={styles.note}>
      {before}
      <a href={`mailto:${email}`}>{email}</a>
      {after}
    </p>
  );
}
