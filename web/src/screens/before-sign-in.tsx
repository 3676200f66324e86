import { BannedScreen } from "./banned-screen.tsx";
import { SignInScreen } from "./sign-in-screen.tsx";
import { SignUpScreen } from "./sign-up-screen.tsx";

export interface BeforeSignInProps {
  screen: "sign-in" | "sign-up" | "banned";
}

/** The screens of who is not signed in, loaded as one: on the way from one to the other nothing is waited for. */
export function BeforeSignIn({ screen }: BeforeSignInProps) {
  switch (screen) {
    case "sign-in":
      return <SignInScreen />;
    case "sign-up":
      return <SignUpScreen />;
    case "banned":
      return <BannedScreen />;
  }
}
