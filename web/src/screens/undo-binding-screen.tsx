import { useEffect, useState } from "react";
import { Link } from "wouter";
import type { UndoResult } from "../engine/accounts/undo-binding.ts";
import { resultOf } from "../features/sign-in/form-call.ts";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import styles from "../features/sign-in/form.module.css";
import { takeLinkToken } from "../hooks/link-token.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Button } from "../ui/button.tsx";
import gone from "./banned-screen.module.css";
import own from "./undo-binding-screen.module.css";

/**
 * What the link leads to in the message that tells of a new way into an account. It does nothing without a press: programs that
 * scan mail open links, too.
 */
export function UndoBindingScreen() {
  const engine = useEngine();
  const { t, show } = useTexts();
  const [token, setToken] = useState(takeLinkToken);
  const [outcome, setOutcome] = useState<UndoResult | null>(null);
  const [busy, setBusy] = useState(false);
  // Another link of the kind in the same tab loads no page.
  useEffect(() => {
    const onLink = () => {
      setToken(takeLinkToken());
      setOutcome(null);
    };
    window.addEventListener("hashchange", onLink);
    return () => window.removeEventListener("hashchange", onLink);
  }, []);

  async function undo(given: string) {
    setBusy(true);
    setOutcome(await resultOf(() => engine.accounts.undoBinding(given)));
    setBusy(false);
  }
  if (outcome?.ok === true) return <Undone />;
  const problem = outcome === null ? null : show(outcome.text);
  if (token === null || outcome?.isOver === true)
    return (
      <FormFrame title={t("undo.title")}>
        <p className={styles.notice} role="alert">
          {problem ?? t("undo.noToken")}
        </p>
        <p className={own.lead}>{t("undo.instead")}</p>
        <SetPassword />
      </FormFrame>
    );
  return (
    <FormFrame title={t("undo.title")}>
      <p className={own.lead}>{t("undo.text")}</p>
      <Button
        className={styles.submit}
        variant="primary"
        size="large"
        loading={busy}
        onClick={() => void undo(token)}
      >
        {t("undo.button")}
      </Button>
      <div className={styles.error} role={problem === null ? undefined : "alert"}>
        {problem}
      </div>
    </FormFrame>
  );
}

/** Whoever bound it may know the password, too. */
function Undone() {
  const { t } = useTexts();
  return (
    <FormFrame title={t("undo.doneTitle")}>
      <p className={own.lead} role="status">
        {t("undo.doneText")}
      </p>
      <SetPassword />
    </FormFrame>
  );
}

/** The way to a new password, which only who is signed out can take. */
function SetPassword() {
  const engine = useEngine();
  const { t } = useTexts();
  const isSignedIn = useSelector(engine.accounts.auth, ({ status }) => status === "yes");
  if (isSignedIn) return <p className={own.lead}>{t("undo.signedIn")}</p>;
  return (
    <div className={gone.body}>
      <Link href="/forgot_password" className={gone.home}>
        {t("undo.password")}
      </Link>
    </div>
  );
}
