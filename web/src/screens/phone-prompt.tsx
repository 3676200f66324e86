import { BindPhoneForm } from "../features/sign-in/bind-phone-form.tsx";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { tokenCountText } from "../i18n/token-count-text.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";

/** Asks for a phone, and says what it brings where the operator promises something (requirements 0§1). */
export function PhonePrompt() {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const tokens = useSelector(engine.site.settings, ({ settings }) => settings?.misc.free_tokens_offer ?? 0);
  return (
    <Dialog
      open
      onClose={() => engine.site.setOverlays({ gate: null })}
      title={t("account.phoneTitle")}
      description={
        tokens > 0
          ? t("account.phoneOffer", { tokens: tokenCountText(tokens, locale) })
          : t("account.phoneText")
      }
      closeLabel={t("common.close")}
    >
      <BindPhoneForm />
    </Dialog>
  );
}
