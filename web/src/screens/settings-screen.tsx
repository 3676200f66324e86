import { SettingsDialog } from "../features/settings/settings-dialog.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { loadSharingTexts } from "../i18n/sharing-texts.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const sharedLinksPart = lazyPart(async () => {
  const [{ SharedLinks }] = await Promise.all([
    import("../features/sharing/shared-links.tsx"),
    loadSharingTexts(),
  ]);
  return SharedLinks;
});

/** The settings with what other features have in them. */
export function SettingsScreen() {
  const engine = useEngine();
  const canShare = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.flags["enableShare"] === true,
  );
  return <SettingsDialog sharedLinks={canShare ? <sharedLinksPart.Part /> : null} />;
}
