import { lazy, Suspense, use } from "react";
import { conversationPart } from "../screens/chat-parts.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { BannedScreen } from "../screens/banned-screen.tsx";
import { SignInScreen } from "../screens/sign-in-screen.tsx";
import type { Route } from "./paths.ts";
import type { PageFrameProps } from "./page-frame.tsx";
import { RouteGuard } from "./route-guard.tsx";
import { Splash } from "./splash.tsx";

const loadPageFrame = () => import("./page-frame.tsx");
const PageFrame = lazy(async () => ({ default: (await loadPageFrame()).PageFrame }));
const FeedbackScreen = lazy(async () => ({
  default: (await import("../screens/feedback-screen.tsx")).FeedbackScreen,
}));
const SignUpScreen = lazy(async () => ({
  default: (await import("../screens/sign-up-screen.tsx")).SignUpScreen,
}));

/** Starts loading the chat before it is known whether the visitor is signed in: most are. */
export function preloadChat(path: string): void {
  void loadPageFrame();
  if (path.includes("/s/")) void conversationPart.preload();
}

/** The frame, once it and the engine's part for chats are here: both load at the same time. */
function ChatPage(props: PageFrameProps) {
  void loadPageFrame();
  use(useEngine().loadChat());
  return <PageFrame {...props} />;
}

function screenOf(route: Route) {
  switch (route.screen) {
    case "chat":
      return <ChatPage agentId={route.agentId} sessionId={route.sessionId} />;
    case "sign-in":
      return <SignInScreen />;
    case "sign-up":
      return <SignUpScreen />;
    case "feedback":
      return <FeedbackScreen />;
    case "banned":
      return <BannedScreen />;
  }
}

/** Every screen by its route. */
export function Routes() {
  return <RouteGuard>{(route) => <Suspense fallback={<Splash />}>{screenOf(route)}</Suspense>}</RouteGuard>;
}
