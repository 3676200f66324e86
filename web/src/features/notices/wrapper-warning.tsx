import { isUnsafeWrapper } from "../../engine/site/unsafe-wrapper.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { NoticeBar } from "./notice-bar.tsx";

/** Says that the program around the page is not the operator's and sees all that is typed; until it is closed, for good. */
export function WrapperWarning() {
  const { site } = useEngine();
  const { t } = useTexts();
  const closed = useSelector(site.preferences, (preferences) => preferences.closeUnsafeEnvWarn);
  const unsafe = useSelector(site.settings, ({ settings }) =>
    isUnsafeWrapper(navigator.userAgent, settings?.misc.unsafe_wrapper_agents ?? []),
  );
  if (closed || !unsafe) return null;
  return (
    <NoticeBar
      type="warning"
      closeLabel={t("common.close")}
      onClose={() => site.setPreferences({ closeUnsafeEnvWarn: true })}
    >
      {t("notice.unsafeWrapper")}
    </NoticeBar>
  );
}
