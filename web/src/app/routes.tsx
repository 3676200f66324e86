import { lazy, Suspense, use } from "react";
import { conversationPart } from "../screens/chat-parts.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { isLoggedOutOnly, type Route } from "./paths.ts";
import type { PageFrameProps } from "./page-frame.tsx";
import { RouteGuard } from "./route-guard.tsx";
import { Splash } from "./splash.tsx";

const loadPageFrame = () => import("./page-frame.tsx");
const PageFrame = lazy(async () => ({ default: (await loadPageFrame()).PageFrame }));
const FeedbackScreen = lazy(async () => ({
  default: (await import("../screens/feedback-screen.tsx")).FeedbackScreen,
}));
const loadBeforeSignIn = () => import("../screens/before-sign-in.tsx");
const BeforeSignIn = lazy(async () => ({ default: (await loadBeforeSignIn()).BeforeSignIn }));

/** Starts loading what the page will show; a visitor with a token that holds no longer waits a little more. */
export function preloadScreen(path: string, hasToken: boolean): void {
  if (!hasToken || isLoggedOutOnly(path)) {
    void loadBeforeSignIn();
    return;
  }
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
    case "sign-up":
    case "banned":
      return <BeforeSignIn screen={route.screen} />;
    case "feedback":
      return <FeedbackScreen />;
  }
}

/** Every screen by its route. */
export function Routes() {
  return <RouteGuard>{(route) => <Suspense fallback={<Splash />}>{screenOf(route)}</Suspense>}</RouteGuard>;
}
