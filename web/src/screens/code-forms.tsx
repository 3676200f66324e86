import type { ReactNode } from "react";
import { CodeSignInForm } from "../features/sign-in/code-sign-in-form.tsx";
import { OutboxNotice } from "../features/sign-in/outbox-notice.tsx";
import { ForgotPasswordScreen } from "./forgot-password-screen.tsx";
import { MobileVerificationScreen } from "./mobile-verification-screen.tsx";
import { SignUpScreen } from "./sign-up-screen.tsx";
import { UndoBindingScreen } from "./undo-binding-screen.tsx";

export interface CodeFormsProps {
  form: "sign-up" | "forgot-password" | "mobile-verification" | "undo-binding" | "sign-in";
  /** Other ways to sign in. */
  children?: ReactNode;
}

/** The forms with a code, and what a link of a message leads to, loaded as one. That of signing in is a part of its screen, the others are screens. */
export function CodeForms({ form, children }: CodeFormsProps) {
  switch (form) {
    case "sign-up":
      return <SignUpScreen />;
    case "forgot-password":
      return <ForgotPasswordScreen />;
    case "mobile-verification":
      return <MobileVerificationScreen />;
    case "undo-binding":
      return <UndoBindingScreen />;
    case "sign-in":
      return (
        <>
          <OutboxNotice channel="sms" />
          <CodeSignInForm>{children}</CodeSignInForm>
        </>
      );
  }
}
