import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { PasswordForm } from "../features/sign-in/password-form.tsx";
import { useTexts } from "../i18n/use-texts.ts";

export function SignInScreen() {
  const { t } = useTexts();
  return (
    <FormFrame title={t("form.signInTitle")}>
      <PasswordForm />
    </FormFrame>
  );
}
