import { isSharingOffered } from "../engine/site/sharing-offer.ts";
import { useEngine } from "./use-engine.tsx";
import { useSelector } from "./use-selector.ts";

/** Whether the page offers to share. */
export function useSharingOffer(): boolean {
  const { site, accounts } = useEngine();
  const settings = useSelector(site.settings, (state) => state.settings);
  const mutedUntil = useSelector(accounts.mute, ({ until }) => until);
  return isSharingOffered(settings, mutedUntil);
}
