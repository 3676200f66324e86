import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton, type IconButtonProps } from "../../ui/icon-button.tsx";

/** Opens the search of all chats. */
export function SearchButton({ side }: Pick<IconButtonProps, "side">) {
  const { site } = useEngine();
  const { t } = useTexts();
  return (
    <IconButton
      label={t("sidebar.search")}
      icon="search"
      side={side}
      onClick={() => site.setOverlays({ search: true })}
    />
  );
}
