import { useEffect } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { HOME, SIGN_IN } from "../engine/reactions.ts";
import { SharedHeader } from "../features/header/shared-header.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { SiderProvider } from "../hooks/use-sider.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import { Mark } from "../ui/mark.tsx";
import styles from "./guest-welcome-screen.module.css";

/** An agent's home for who is not signed in, where the operator lets guests see it: nothing is written here before that. */
export function GuestWelcomeScreen({ agentId }: { agentId: string }) {
  const { site } = useEngine();
  const { t, locale } = useTexts();
  const [path] = useLocation();
  const settings = useSelector(site.settings, (state) => state.settings);
  const brand = settings?.brand.name ?? "Plumb";
  const greeting = settings?.agents.find((agent) => agent.id === agentId)?.greeting[locale];
  const fallback = agentId === "coder" ? t("welcome.coder") : t("welcome.chat");
  const title = settings?.brand.default_title[locale] ?? t("app.defaultTitle", { brand });
  useEffect(() => {
    document.title = title;
  }, [title]);
  // The root is where signing in leads anyway.
  const query = new URLSearchParams(path === HOME ? {} : { redirect: path });
  if (new URLSearchParams(useSearch()).get("from") === "coder") query.set("from", "coder");
  const signIn = query.size === 0 ? SIGN_IN : `${SIGN_IN}?${query.toString()}`;
  return (
    <SiderProvider>
      <main className={styles.screen}>
        <SharedHeader title={brand} isGuest />
        <div className={styles.welcome}>
          <span className={styles.mark}>
            <Mark size={40} />
          </span>
          <h2 className={styles.line}>{greeting === undefined || greeting === "" ? fallback : greeting}</h2>
          <Link href={signIn} className={styles.place}>
            <span>{t("composer.placeholder")}</span>
            <span className={styles.signIn}>{t("shared.signIn")}</span>
          </Link>
        </div>
      </main>
    </SiderProvider>
  );
}
