import type { SignInEntry } from "@plumb/protocol/wire/own-account";
import { useEffect } from "react";
import type { OwnAccount } from "../../engine/accounts/own-account.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { dayAndTimeText } from "../../i18n/moment-text.ts";
import { type Texts, useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./sign-in-list.module.css";

/** The browsers and apps that are signed in, each with its end. */
export function SignInList({ signIns }: { signIns: OwnAccount["signIns"] }) {
  const { t } = useTexts();
  const { entries, failed, ending } = useSelector(signIns.store, (state) => state);
  useEffect(() => void signIns.load(), [signIns]);
  if (failed && entries === null) return <SignInsFailed retry={() => void signIns.load()} />;
  if (entries === null)
    return (
      <div className={styles.loading} role="status" aria-label={t("conversation.loading")}>
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} />
        ))}
      </div>
    );
  return (
    <ul className={styles.list} aria-label={t("account.signInsLabel")}>
      {entries.map((entry) => (
        <SignInRow
          key={entry.id}
          entry={entry}
          ending={ending.includes(entry.id)}
          onEnd={() => void signIns.end(entry.id)}
        />
      ))}
    </ul>
  );
}

/** They could not be had. */
export function SignInsFailed({ retry }: { retry: () => void }) {
  const { t } = useTexts();
  return (
    <div className={styles.state} role="alert">
      <p>{t("account.signInsFailed")}</p>
      <Button onClick={retry}>{t("common.retry")}</Button>
    </div>
  );
}

function SignInRow({ entry, ending, onEnd }: { entry: SignInEntry; ending: boolean; onEnd: () => void }) {
  const texts = useTexts();
  const { t, locale } = texts;
  const client = clientText(entry.client, texts);
  const region = regionText(entry.region, locale);
  const lastUsed = t("account.lastUsed", { date: dayAndTimeText(entry.last_used_at) });
  // Two browsers of one kind are told apart by ear, too.
  const which = entry.current ? t("account.current") : lastUsed;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <div className={styles.client}>
          {client}
          {entry.current && <span className={styles.current}>{t("account.current")}</span>}
        </div>
        <div className={styles.note}>
          {region !== null && `${region} · `}
          {lastUsed}
        </div>
      </div>
      <Button loading={ending} aria-label={t("account.endSignInNamed", { client, which })} onClick={onEnd}>
        {t("account.endSignIn")}
      </Button>
    </li>
  );
}

/** "Chrome on Linux", as the server says it, in the language of the screen. */
function clientText(client: string, { t }: Texts): string {
  const [, browser, system] = /^(.+) on (.+)$/u.exec(client) ?? [];
  if (browser === undefined || system === undefined) return client || t("account.unknownClient");
  return t("account.signInClient", { browser, system });
}

function regionText(region: string | null, locale: Texts["locale"]): string | null {
  if (region === null) return null;
  return new Intl.DisplayNames([locale.replace("_", "-")], { type: "region" }).of(region) ?? region;
}
