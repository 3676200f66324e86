import { useMemo } from "react";
import type { Engine } from "../engine/engine.ts";
import { DEFAULT_AGENT } from "../engine/reactions.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { loadSharingTexts } from "../i18n/sharing-texts.ts";
import { sharedChatPart } from "../screens/chat-parts.ts";
import { type LazyPart, lazyPart, type Loadable, patiently, WhenHere } from "../ui/lazy-part.tsx";
import type { PageFrameProps } from "./page-frame.tsx";
import { Splash } from "./splash.tsx";

const guestFrame = lazyPart(async () => {
  const [{ GuestFrame }] = await Promise.all([import("./guest-frame.tsx"), loadSharingTexts()]);
  return GuestFrame;
});

type PageFramePart = LazyPart<PageFrameProps>;

/** Asks for a share and loads what shows it. */
export function preloadShare(engine: Engine, shareId: string, pageFrame: PageFramePart): void {
  void sharedChatPart.preload();
  void (engine.accounts.auth.getState().status === "no" ? guestFrame : pageFrame).preload();
  engine
    .loadChat()
    .then(() => engine.sharing.load())
    .then(
      ({ shared }) => shared.openAhead(shareId),
      // The screen waits for the same, and says what failed.
      () => {},
    );
}

interface SharePageProps {
  shareId: string;
  /** The page of a signed-in user. */
  pageFrame: PageFramePart;
}

/** A share: in the frame of the app for who is signed in, and without it for everybody else. */
export function SharePage({ shareId, pageFrame }: SharePageProps) {
  const engine = useEngine();
  const isGuest = useSelector(engine.accounts.auth, ({ status }) => status !== "yes");
  const frame = isGuest ? guestFrame : pageFrame;
  const part = useMemo<Loadable>(() => {
    let isHere = false;
    return {
      isHere: () => isHere,
      load: async () => {
        await Promise.all([
          frame.load(),
          sharedChatPart.load(),
          engine.loadChat().then(() => patiently(engine.sharing.load)),
        ]);
        isHere = true;
      },
    };
  }, [engine, frame]);
  return (
    <WhenHere part={part} standIn={<Splash />}>
      {isGuest ? (
        <guestFrame.Part key={shareId} shareId={shareId} />
      ) : (
        <pageFrame.Part agentId={DEFAULT_AGENT} sessionId={null} shareId={shareId} />
      )}
    </WhenHere>
  );
}
