import { ForgotPasswordForm } from "../features/sign-in/forgot-password-form.tsx";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { useTexts } from "../i18n/use-texts.ts";

export function ForgotPasswordScreen() {
  const { t } = useTexts();
  return (
    <FormFrame title={t("form.resetTitle")}>
      <ForgotPasswordForm />
    </FormFrame>
  );
}
