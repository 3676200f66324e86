import { useOwnAccount } from "../../hooks/use-own-account.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { SignInList } from "./sign-in-list.tsx";

/** The list of sign-ins, once its code is here. */
export function OwnSignIns() {
  const { t } = useTexts();
  const { account, failed, retry } = useOwnAccount();
  if (failed) return <Button onClick={retry}>{t("common.retry")}</Button>;
  return account === null ? null : <SignInList signIns={account.signIns} />;
}
