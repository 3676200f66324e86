import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { OutboxNotice } from "../features/sign-in/outbox-notice.tsx";
import { SignUpForm } from "../features/sign-in/sign-up-form.tsx";
import { useTexts } from "../i18n/use-texts.ts";

export function SignUpScreen() {
  const { t } = useTexts();
  return (
    <FormFrame title={t("form.signUpTitle")}>
      <OutboxNotice />
      <SignUpForm />
    </FormFrame>
  );
}
