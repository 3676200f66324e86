import type { Engine } from "../../engine/engine.ts";
import type { Preferences } from "../../engine/site/preferences.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTouch } from "../../hooks/use-media.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import type { IconName } from "../../ui/icon.tsx";

export interface Command {
  id: string;
  label: string;
  icon: IconName;
  /** Nothing that one does by accident. */
  isGrave?: boolean;
  run: (engine: Engine) => void;
}

/** What the app can do from anywhere, in the words of the current language. */
export function useCommands(onNewChat: () => void): Command[] {
  const engine = useEngine();
  const { t } = useTexts();
  const touch = useTouch();
  const { theme, locale } = useSelector(engine.site.preferences, (state) => state);
  const hasRoles = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.characters.available === true,
  );
  const prefer = (change: Partial<Preferences>) => () => engine.site.setPreferences(change);
  const commands: (Command & { isOffered?: boolean })[] = [
    { id: "new-chat", label: t("common.newChat"), icon: "newChat", run: onNewChat },
    {
      id: "settings",
      label: t("profile.settings"),
      icon: "settings",
      run: ({ site }) => site.setOverlays({ settings: "general" }),
    },
    {
      id: "roles",
      label: t("profile.roles"),
      icon: "person",
      isOffered: hasRoles,
      run: ({ site }) => site.setOverlays({ personas: true }),
    },
    {
      id: "shortcuts",
      label: t("shortcuts.title"),
      icon: "keyboard",
      isOffered: !touch,
      run: ({ site }) => site.setOverlays({ shortcuts: true }),
    },
    {
      id: "theme-light",
      label: t("find.theme", { theme: t("settings.themeLight") }),
      icon: "settings",
      isOffered: theme !== "light",
      run: prefer({ theme: "light" }),
    },
    {
      id: "theme-dark",
      label: t("find.theme", { theme: t("settings.themeDark") }),
      icon: "settings",
      isOffered: theme !== "dark",
      run: prefer({ theme: "dark" }),
    },
    {
      id: "theme-system",
      label: t("find.theme", { theme: t("settings.system") }),
      icon: "settings",
      isOffered: theme !== "system",
      run: prefer({ theme: "system" }),
    },
    {
      id: "locale-en",
      label: t("find.language", { language: "English" }),
      icon: "globe",
      isOffered: locale !== "en_US",
      run: prefer({ locale: "en_US" }),
    },
    {
      id: "locale-zh",
      label: t("find.language", { language: "中文" }),
      icon: "globe",
      isOffered: locale !== "zh_CN",
      run: prefer({ locale: "zh_CN" }),
    },
    {
      id: "logout",
      label: t("profile.logout"),
      icon: "logout",
      isGrave: true,
      run: ({ accounts }) => void accounts.signOut(),
    },
  ];
  return commands.filter(({ isOffered }) => isOffered !== false);
}
