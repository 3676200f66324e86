import { useEffect, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { rememberErrand } from "../engine/accounts/confirm-errand.ts";
import { providerOf, redirectText } from "../engine/accounts/oauth-redirects.ts";
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
    if (engine.accounts.auth.getState().status === "yes") {
      navigate("/authorized", { replace: true });
      const brought = nonce === null || nonce === "" || provider === null ? null : { nonce, provider };
      // Whom this server does not know, as it leads on to a new account, is another one than the one here.
      const failed = redirectText(search) ?? { key: "confirmOtherAccount" };
      return void import("./confirm-elsewhere.ts")
        .then(({ confirmElsewhere }) => confirmElsewhere(engine, brought ?? { failed }))
        .catch((error: unknown) => {
          reportError(error);
          engine.site.showToast({ type: "error", text: { key: "networkError" }, dedupeKey: "confirm" });
        })
        .finally(() => {
          // Also where it could not be confirmed for want of the code.
          rememberErrand(engine.accounts.ofTab, null);
          // Another address of this page has the route guard look again: it leads back.
          navigate("/authorized?confirmed", { replace: true });
        });
    }
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
