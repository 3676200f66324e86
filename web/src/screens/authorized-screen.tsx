import { useEffect, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { providerOf } from "../engine/accounts/oauth-redirects.ts";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import styles from "../features/sign-in/form.module.css";
import { signInAgain } from "../features/sign-in/wanted-page.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import { Spinner } from "../ui/spinner.tsx";

/** Where a sign-in elsewhere comes back to: turns what it brought into an account, and shows that it goes on. */
export function AuthorizedScreen() {
  const engine = useEngine();
  const { t } = useTexts();
  const [path, navigate] = useLocation();
  const search = useSearch();
  const begun = useRef(false);

  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const query = new URLSearchParams(search);
    const [nonce, provider] = [query.get("nonce"), providerOf(query.get("provider"))];
    const leave = () => {
      const { targetBeforeOauthLogin } = engine.site.preferences.getState();
      navigate(signInAgain(targetBeforeOauthLogin), { replace: true });
    };
    if (nonce === null || nonce === "" || provider === null) return leave();
    // It is good once: neither the history of the browser nor a copied address needs it.
    navigate(path, { replace: true });
    void engine.accounts.finishOauth({ nonce, provider }).then((result) => {
      if (result.ok) return;
      engine.site.showToast({ type: "error", text: result.text, dedupeKey: "oauth" });
      leave();
    });
  }, [engine, navigate, path, search]);

  return (
    <FormFrame title={t("form.authorizing")}>
      <div className={styles.waiting} role="status" aria-label={t("conversation.loading")}>
        <Spinner />
      </div>
    </FormFrame>
  );
}
