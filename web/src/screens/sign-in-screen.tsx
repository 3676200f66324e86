import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { PasswordForm } from "../features/sign-in/password-form.tsx";
import { RegionTip } from "../features/sign-in/region-tip.tsx";
import { useTexts } from "../i18n/use-texts.ts";

export function SignInScreen() {
  const { t } = useTexts();
  return (
    <FormFrame hasConsent title={t("form.signInTitle")}>
      <RegionTip />
      <PasswordForm />
    </FormFrame>
  );
}
