import type { ReactNode } from "react";
import { CodeSignInForm } from "../features/sign-in/code-sign-in-form.tsx";
import { OutboxNotice } from "../features/sign-in/outbox-notice.tsx";
import { ForgotPasswordScreen } from "./forgot-password-screen.tsx";
import { MobileVerificationScreen } from "./mobile-verification-screen.tsx";
import { SignUpScreen } from "./sign-up-screen.tsx";

export interface CodeFormsProps {
  form: "sign-up" | "forgot-password" | "mobile-verification" | "sign-in";
  /** Other ways to sign in. */
  children?: ReactNode;
}

/** The forms with a code, loaded as one. That of signing in is a part of its screen, the others are screens. */
export function CodeForms({ form, children }: CodeFormsProps) {
  switch (form) {
    case "sign-up":
      return <SignUpScreen />;
    case "forgot-password":
      return <ForgotPasswordScreen />;
    case "mobile-verification":
      return <MobileVerificationScreen />;
    case "sign-in":
      return (
        <>
          <OutboxNotice channel="sms" />
          <CodeSignInForm>{children}</CodeSignInForm>
        </>
      );
  }
}
