import { useState } from "react";
import { TypedIdentifier } from "../features/sign-in/typed-identifier.ts";
import { AuthorizedScreen } from "./authorized-screen.tsx";
import { WhenHere } from "../ui/lazy-part.tsx";
import { BannedScreen } from "./banned-screen.tsx";
import { codeFormsPart } from "./form-parts.ts";
import { FeedbackScreen } from "./feedback-screen.tsx";
import { ShareGoneScreen } from "./share-gone-screen.tsx";
import { SignInScreen } from "./sign-in-screen.tsx";

export interface FormScreensProps {
  screen:
    | "sign-in"
    | "sign-up"
    | "forgot-password"
    | "banned"
    | "feedback"
    | "authorized"
    | "mobile-verification"
    | "share-missing"
    | "share-invalid"
    | "undo-binding";
}

/** The screens that are one form or notice, loaded as one; those with a code come when somebody touches the page. */
export function FormScreens({ screen }: FormScreensProps) {
  const [typed] = useState(() => ({ current: "" }));
  return <TypedIdentifier value={typed}>{screenOf(screen)}</TypedIdentifier>;
}

function screenOf(screen: FormScreensProps["screen"]) {
  switch (screen) {
    case "sign-in":
      return <SignInScreen />;
    case "sign-up":
    case "forgot-password":
    case "mobile-verification":
    case "undo-binding":
      return (
        <WhenHere part={codeFormsPart} standIn={null}>
          <codeFormsPart.Part key={screen} form={screen} />
        </WhenHere>
      );
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
