import { Suspense } from "react";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { loadAccountTexts } from "../i18n/account-texts.ts";
import { loadCodeTexts } from "../i18n/code-texts.ts";
import { loadFormTexts } from "../i18n/form-texts.ts";
import { loadSharingTexts } from "../i18n/sharing-texts.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const sharedLinksPart = lazyPart(async () => {
  const [{ SharedLinks }] = await Promise.all([
    import("../features/sharing/shared-links.tsx"),
    loadSharingTexts(),
  ]);
  return SharedLinks;
});
const settings = async () =>
  (await Promise.all([import("../features/settings/settings-parts.ts"), loadAccountTexts()]))[0];
const settingsPart = lazyPart(async () => (await settings()).SettingsDialog);
const ageGatePart = lazyPart(async () => (await settings()).AgeGate);
const phonePromptPart = lazyPart(async () => {
  const [{ PhonePrompt }] = await Promise.all([
    import("./phone-prompt.tsx"),
    loadAccountTexts(),
    loadCodeTexts(),
  ]);
  return PhonePrompt;
});
const confirmPart = lazyPart(async () => {
  const [{ ConfirmPrompt }] = await Promise.all([
    import("./confirm-prompt.tsx"),
    loadAccountTexts(),
    loadCodeTexts(),
    loadFormTexts(),
  ]);
  return ConfirmPrompt;
});
// Opened by hand they should be there at once, and this file comes with the first touch of the page.
void settingsPart.preload();

/** The settings with what other features have in them, and what the account asks for before anything else. */
export function SettingsScreen() {
  const engine = useEngine();
  const isOpen = useSelector(engine.site.overlays, (state) => state.settings !== null);
  const gate = useSelector(engine.site.overlays, (state) => state.gate);
  const confirming = useSelector(engine.site.overlays, (state) => state.confirming);
  const canShare = useSelector(
    engine.site.settings,
    ({ settings: known }) => known?.flags["enableShare"] === true,
  );
  return (
    <>
      <Suspense fallback={null}>
        {(isOpen || settingsPart.isHere()) && (
          <settingsPart.Part sharedLinks={canShare ? <sharedLinksPart.Part /> : null} />
        )}
        {gate === "birthday" && <ageGatePart.Part />}
        {gate === "phone" && <phonePromptPart.Part />}
      </Suspense>
      {/* Over those that ask for it, which must not lose their place while its code comes. */}
      <Suspense fallback={null}>{confirming !== null && <confirmPart.Part act={confirming} />}</Suspense>
    </>
  );
}
