import { useId } from "react";
import type { Text } from "../../../engine/text.ts";
import { useEngine } from "../../../hooks/use-engine.tsx";
import { useTexts } from "../../../i18n/use-texts.ts";
import { IconButton, type IconButtonProps } from "../../../ui/icon-button.tsx";
import hidden from "../../../ui/visually-hidden.module.css";

interface ActionButtonProps extends Omit<IconButtonProps, "onClick" | "small" | "tip"> {
  /** Why it can't be done now; null where it can. */
  blocked?: Text | null;
  onPress: () => void;
}

/**
 * One action of a message. Where it can't be done it stays reachable and says why: in its tooltip, to a screen reader,
 * and when it is pressed, since a finger finds no tooltip.
 */
export function ActionButton({ blocked = null, onPress, ...rest }: ActionButtonProps) {
  const engine = useEngine();
  const { show } = useTexts();
  const reasonId = useId();
  if (blocked === null) return <IconButton {...rest} small onClick={onPress} />;
  return (
    <>
      <IconButton
        {...rest}
        small
        tip={show(blocked)}
        aria-disabled
        aria-describedby={reasonId}
        onClick={() => engine.site.showToast({ type: "info", text: blocked, dedupeKey: "action-blocked" })}
      />
      <span id={reasonId} className={hidden.hidden}>
        {show(blocked)}
      </span>
    </>
  );
}
