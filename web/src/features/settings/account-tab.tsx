import { nameOf } from "../../engine/accounts/name-of.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { AccountBindings } from "./account-bindings.tsx";
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
      <AccountBindings />
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
