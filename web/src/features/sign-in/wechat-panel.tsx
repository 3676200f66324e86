import { useEffect, useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { showFreshPage } from "./fresh-wechat-page.ts";
import styles from "./wechat-panel.module.css";

/** WeChat's page with the QR code, framed by its address: no script of WeChat's runs in ours. */
export function WechatPanel({ target }: { target: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const [page, setPage] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);

  useEffect(
    () =>
      showFreshPage(engine.accounts.wechatPage, (address) => {
        setPage(address);
        setFailed(address === null);
      }),
    [engine, tries],
  );

  // A scan leads the whole page away without another press here.
  useEffect(() => engine.site.setPreferences({ targetBeforeOauthLogin: target }), [engine, target]);

  return (
    <section className={styles.panel} aria-label={t("form.wechat")}>
      <h2 className={styles.title}>{t("form.wechat")}</h2>
      <div className={styles.code}>
        {page !== null && (
          <iframe
            className={styles.frame}
            src={page}
            title={t("form.wechatCode")}
            // It shows that a scan was seen, and then sends the whole page to our callback.
            sandbox="allow-scripts allow-same-origin allow-top-navigation"
          />
        )}
        {page === null && !failed && <Spinner />}
        {failed && <Button onClick={() => setTries(tries + 1)}>{t("form.wechatAgain")}</Button>}
      </div>
    </section>
  );
}
