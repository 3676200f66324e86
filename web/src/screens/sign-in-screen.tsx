import { useSearch } from "wouter";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { GoogleButton } from "../features/sign-in/google-button.tsx";
import { PasswordForm } from "../features/sign-in/password-form.tsx";
import { RegionTip } from "../features/sign-in/region-tip.tsx";
import { useRedirectToast } from "../features/sign-in/use-redirect-toast.ts";
import { useTexts } from "../i18n/use-texts.ts";

export function SignInScreen() {
  const { t } = useTexts();
  const query = new URLSearchParams(useSearch());
  useRedirectToast();
  return (
    <FormFrame hasConsent title={t("form.signInTitle")}>
      <RegionTip />
      <PasswordForm>
        <GoogleButton target={query.get("redirect") ?? query.get("from") ?? "chat"} />
      </PasswordForm>
    </FormFrame>
  );
}
