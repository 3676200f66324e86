import type { Engine } from "../engine/engine.ts";
import { isAppleMobile } from "../ui/is-apple-mobile.ts";

/** What Chromium offers a page that can be installed; good for one question. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

/** Puts the way to install the page as an app into the menu of the profile, where there is one. `offers` have come already. */
export function offerInstall(engine: Engine, offers: readonly Event[]): void {
  const { installation, showToast } = engine.site;
  const offer = (install: (() => void) | null): void => installation.setState({ install });

  function take(event: Event): void {
    event.preventDefault();
    offer(() => {
      offer(null);
      void (event as InstallOffer).prompt();
    });
  }

  offers.forEach(take);
  window.addEventListener("beforeinstallprompt", take);
  window.addEventListener("appinstalled", () => offer(null));
  const isInstalled = window.matchMedia("(display-mode: standalone)").matches;
  // Where only a hand can install.
  if (isAppleMobile() && !isInstalled)
    offer(() => showToast({ type: "info", text: { key: "profile.installByHand" }, dedupeKey: "install" }));
}
