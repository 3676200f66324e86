import { useState } from "react";
import type { Engine } from "../engine/engine.ts";
import { loadSignIn } from "../engine/load-sign-in.ts";
import { conversationPart, loadDrawers } from "../screens/chat-parts.ts";
import { codeFormsPart } from "../screens/form-parts.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { loadFormTexts } from "../i18n/form-texts.ts";
import { loadSharingTexts } from "../i18n/sharing-texts.ts";
import { lazyPart, WhenHere, type Loadable } from "../ui/lazy-part.tsx";
import { openFromAddress } from "./open-from-address.ts";
import { isLoggedOutOnly, matchRoute, type Route } from "./paths.ts";
import type { PageFrameProps } from "./page-frame.tsx";
import { RouteGuard } from "./route-guard.tsx";
import { Splash } from "./splash.tsx";

const pageFrame = lazyPart(async () => (await import("./every-chat.ts")).PageFrame);
const formScreens = lazyPart(async () => {
  const [{ FormScreens }] = await Promise.all([
    import("../screens/form-screens.tsx"),
    loadFormTexts(),
    loadSignIn(),
  ]);
  return FormScreens;
});

const guestWelcome = lazyPart(async () => {
  const [{ GuestWelcomeScreen }] = await Promise.all([
    import("../screens/guest-welcome-screen.tsx"),
    loadSharingTexts(),
  ]);
  return GuestWelcomeScreen;
});

const loadSharePage = () => import("./share-page.tsx");
const sharePage = lazyPart(async () => (await loadSharePage()).SharePage);

/** Starts loading what the page will show; a visitor with a token that holds no longer waits a little more. */
export function preloadScreen(engine: Engine, path: string): void {
  const route = matchRoute(path);
  if (route?.screen === "share") {
    // The screen asks for the same, and says what failed.
    loadSharePage().then(
      ({ preloadShare }) => preloadShare(engine, route.shareId, pageFrame),
      () => {},
    );
    return;
  }
  if (engine.accounts.auth.getState().status === "no" || isLoggedOutOnly(path)) {
    void formScreens.preload();
    if (route?.screen === "sign-up" || route?.screen === "forgot-password") void codeFormsPart.preload();
    return;
  }
  void pageFrame.preload();
  const messages = openFromAddress(engine, path);
  if (messages === null) return;
  void conversationPart.preload();
  void loadDrawers(messages);
}

/** The frame, once it and the engine's part for chats are here: both load at the same time. */
function ChatPage(props: PageFrameProps) {
  const engine = useEngine();
  const [part] = useState<Loadable>({
    isHere: () => pageFrame.isHere() && engine.isChatHere(),
    load: () => Promise.all([pageFrame.load(), engine.loadChat()]),
  });
  return (
    <WhenHere part={part} standIn={<Splash />}>
      <pageFrame.Part {...props} />
    </WhenHere>
  );
}

function screenOf(route: Route) {
  switch (route.screen) {
    case "chat":
      return <ChatPage agentId={route.agentId} sessionId={route.sessionId} />;
    case "guest-welcome":
      return (
        <WhenHere part={guestWelcome} standIn={<Splash />}>
          <guestWelcome.Part agentId={route.agentId} />
        </WhenHere>
      );
    case "share":
      return (
        <WhenHere part={sharePage} standIn={<Splash />}>
          <sharePage.Part shareId={route.shareId} pageFrame={pageFrame} />
        </WhenHere>
      );
    case "share-missing":
    case "share-invalid":
    case "sign-in":
    case "sign-up":
    case "forgot-password":
    case "banned":
    case "feedback":
    case "authorized":
    case "mobile-verification":
    case "undo-binding":
      return (
        <WhenHere part={formScreens} standIn={<Splash />}>
          <formScreens.Part screen={route.screen} />
        </WhenHere>
      );
  }
}

/** Every screen by its route. */
export function Routes() {
  return <RouteGuard>{screenOf}</RouteGuard>;
}
