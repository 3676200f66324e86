import type { Text } from "../../../engine/text.ts";
import { useReason } from "../../../i18n/use-reason.ts";
import { IconButton, type IconButtonProps } from "../../../ui/icon-button.tsx";

interface ActionButtonProps extends Omit<IconButtonProps, "onClick" | "small" | "tip"> {
  /** Why it can't be done now; null where it can. */
  blocked?: Text | null;
  onPress: () => void;
}

/** One action of a message. */
export function ActionButton({ blocked = null, onPress, ...rest }: ActionButtonProps) {
  const reason = useReason(blocked);
  if (reason === null) return <IconButton {...rest} small onClick={onPress} />;
  return <IconButton {...rest} {...reason.attributes} small tip={reason.words} />;
}
