import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { AskedCaptcha } from "./asked-captcha.tsx";

/** What somebody has to pass before a code is sent: closed by its own button alone, since a slip of the hand is no refusal. */
export function CaptchaDialog() {
  const engine = useEngine();
  const { t } = useTexts();
  const asked = useSelector(engine.captcha.store, (state) => state.asked);
  if (asked === null) return null;
  return (
    <Dialog
      open
      closesByButtonOnly
      size="captcha"
      title={t("captcha.title")}
      closeLabel={t("captcha.close")}
      onClose={engine.captcha.dismiss}
    >
      <AskedCaptcha face={engine.captcha} asked={asked} />
    </Dialog>
  );
}
