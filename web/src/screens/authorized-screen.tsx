import { useEffect, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { providerOf, redirectText } from "../engine/accounts/oauth-redirects.ts";
import type { OwnAccount } from "../engine/accounts/own-account.ts";
import type { Engine } from "../engine/engine.ts";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import styles from "../features/sign-in/form.module.css";
import { signInAgain } from "../features/sign-in/wanted-page.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { loadAccountTexts } from "../i18n/account-texts.ts";
import { loadCodeTexts } from "../i18n/code-texts.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Spinner } from "../ui/spinner.tsx";

type Brought = Parameters<OwnAccount["confirm"]["finishElsewhere"]>[0];

/** Whoever is signed in here wanted to show who they are; the route guard leads back to where that was. */
async function confirmWith(engine: Engine, brought: Brought): Promise<void> {
  try {
    await Promise.all([engine.loadChat(), loadAccountTexts(), loadCodeTexts()]);
    await (await engine.ownAccount())?.confirm.finishElsewhere(brought);
  } catch (error) {
    reportError(error);
    engine.site.showToast({ type: "error", text: { key: "networkError" }, dedupeKey: "confirm" });
  }
  // Also where it was not confirmed for want of the code.
  engine.accounts.errand.remember(null);
}

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
      return void confirmWith(engine, brought ?? { failed });
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
