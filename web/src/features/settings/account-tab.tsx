import { nameOf } from "../../engine/accounts/name-of.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { LogoutAll } from "./logout-all.tsx";
import { ProviderIcon } from "./provider-icon.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./account-tab.module.css";

interface AccountTabProps {
  /** The list of sign-ins has just been left: the focus goes back to what opens it. */
  hasLeftSignIns: boolean;
  /** Opens the list of sign-ins. */
  onSignIns: () => void;
}

/** Who is signed in, where, and the end of that. */
export function AccountTab({ hasLeftSignIns, onSignIns }: AccountTabProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const user = useSelector(engine.accounts.auth, (state) => state.user);
  // Where phones are of use: people sign in with them, or a verified one is asked for with a promise.
  const hasPhones = useSelector(engine.site.settings, ({ settings }) => {
    const methods = settings?.sign_in.methods ?? [];
    return methods.includes("sms_code") || (settings?.misc.free_tokens_offer ?? 0) > 0;
  });
  const isMainland = useSelector(engine.site.settings, ({ settings }) => settings?.edition === "mainland");
  if (user === null) return null;
  const profile = user.id_profile;
  const name = nameOf(user) || t("profile.account");
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
      {!isMainland && (
        <SettingRow label={t("account.email")}>
          <span className={styles.value}>{user.email || t("account.none")}</span>
        </SettingRow>
      )}
      <SettingRow label={t("account.phone")}>
        <span className={styles.value}>{user.mobile_number || t("account.none")}</span>
        {user.mobile_number === "" && hasPhones && (
          <Button onClick={() => engine.site.setOverlays({ gate: "phone" })}>{t("account.verify")}</Button>
        )}
      </SettingRow>
      <SettingRow label={t("account.signIns")}>
        <Button autoFocus={hasLeftSignIns} onClick={onSignIns}>
          {t("account.manage")}
        </Button>
      </SettingRow>
      <LogoutAll />
      <DeleteAccount />
    </>
  );
}
