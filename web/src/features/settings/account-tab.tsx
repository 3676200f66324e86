import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { LogoutAll } from "./logout-all.tsx";
import { ProviderIcon } from "./provider-icon.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./account-tab.module.css";

/** Who is signed in, where, and the end of that. `onSignIns` opens the list of sign-ins. */
export function AccountTab({ onSignIns }: { onSignIns: () => void }) {
  const engine = useEngine();
  const { t } = useTexts();
  const user = useSelector(engine.accounts.auth, (state) => state.user);
  if (user === null) return null;
  const profile = user.id_profile;
  const name = profile?.name || user.email || user.mobile_number || t("profile.account");
  return (
    <>
      <div className={styles.who}>
        <span className={styles.avatar} aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
        <span className={styles.name}>{name}</span>
        {profile !== null && (
          <ProviderIcon
            provider={profile.provider}
            label={t(profile.provider === "GOOGLE" ? "account.viaGoogle" : "account.viaWechat")}
          />
        )}
      </div>
      <SettingRow label={t("account.email")}>
        <span className={styles.value}>{user.email || t("account.none")}</span>
      </SettingRow>
      <SettingRow label={t("account.phone")}>
        <span className={styles.value}>{user.mobile_number || t("account.none")}</span>
      </SettingRow>
      <SettingRow label={t("account.signIns")}>
        <Button onClick={onSignIns}>{t("account.manage")}</Button>
      </SettingRow>
      <LogoutAll />
      <DeleteAccount />
    </>
  );
}
