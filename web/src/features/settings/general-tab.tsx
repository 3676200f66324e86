import type { Preferences } from "../../engine/site/preferences.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { SegmentedControl } from "../../ui/segmented-control.tsx";
import { SettingRow } from "./setting-row.tsx";

/** Theme and language. */
export function GeneralTab() {
  const engine = useEngine();
  const { t } = useTexts();
  const theme = useSelector(engine.site.preferences, (state) => state.theme);
  const locale = useSelector(engine.site.preferences, (state) => state.locale);
  return (
    <>
      <SettingRow label={t("settings.theme")}>
        <SegmentedControl<Preferences["theme"]>
          label={t("settings.theme")}
          value={theme}
          options={[
            { value: "light", label: t("settings.themeLight") },
            { value: "dark", label: t("settings.themeDark") },
            { value: "system", label: t("settings.system") },
          ]}
          onChange={(value) => engine.site.setPreferences({ theme: value })}
        />
      </SettingRow>
      <SettingRow label={t("settings.language")}>
        <SegmentedControl<Preferences["locale"]>
          label={t("settings.language")}
          value={locale}
          options={[
            { value: "en_US", label: "English" },
            { value: "zh_CN", label: "中文" },
            { value: "system", label: t("settings.system") },
          ]}
          onChange={(value) => engine.site.setPreferences({ locale: value })}
        />
      </SettingRow>
    </>
  );
}
