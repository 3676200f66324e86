import { AuthorizedScreen } from "./authorized-screen.tsx";
import { BannedScreen } from "./banned-screen.tsx";
import { FeedbackScreen } from "./feedback-screen.tsx";
import { ShareGoneScreen } from "./share-gone-screen.tsx";
import { SignInScreen } from "./sign-in-screen.tsx";
import { SignUpScreen } from "./sign-up-screen.tsx";

export interface FormScreensProps {
  screen: "sign-in" | "sign-up" | "banned" | "feedback" | "authorized" | "share-missing" | "share-invalid";
}

/** The screens that are one form or notice, loaded as one: on the way from one to the other nothing is waited for. */
export function FormScreens({ screen }: FormScreensProps) {
  switch (screen) {
    case "sign-in":
      return <SignInScreen />;
    case "sign-up":
      return <SignUpScreen />;
    case "banned":
      return <BannedScreen />;
    case "feedback":
      return <FeedbackScreen />;
    case "authorized":
      return <AuthorizedScreen />;
    case "share-missing":
    case "share-invalid":
      return <ShareGoneScreen why={screen} />;
  }
}
