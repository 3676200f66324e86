import { Tooltip as Primitive } from "radix-ui";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { cx } from "./cx.ts";
import { landmarkOf } from "./landmark.ts";
import { StandIn } from "./stand-in.tsx";
import { ARROW_PX, TOOLTIP_PADDING, tooltipOffset, tooltipPlace } from "./tooltip-place.ts";
import styles from "./tooltip-layer.module.css";
import { watchTooltips, type TooltipWatch, type WantedTooltip } from "./watch-tooltips.ts";

/** The one tooltip on show, of whatever element of the page asks for it. */
export function TooltipLayer() {
  const [wanted, setWanted] = useState<WantedTooltip | null>(null);
  const watch = useRef<TooltipWatch | null>(null);
  useEffect(() => {
    watch.current = watchTooltips(setWanted);
    return () => watch.current?.stop();
  }, []);
  if (wanted === null) return null;
  return (
    <Primitive.Provider key={wanted.showing} disableHoverableContent>
      <ShownTooltip {...wanted} onClose={() => watch.current?.close()} />
    </Primitive.Provider>
  );
}

function ShownTooltip({
  trigger,
  text,
  placement,
  size,
  hasArrow,
  onClose,
}: WantedTooltip & { onClose: () => void }) {
  const { side, align } = tooltipPlace(placement);
  const id = useId();
  useDescription(trigger, id);
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Trigger asChild>
        <StandIn element={trigger} />
      </Primitive.Trigger>
      <Primitive.Portal container={landmarkOf(trigger)}>
        <Primitive.Content
          id={id}
          className={cx(styles.tooltip, size === "s" && styles.small)}
          side={side}
          align={align}
          sideOffset={tooltipOffset(size, hasArrow)}
          collisionPadding={TOOLTIP_PADDING}
        >
          {text}
          {hasArrow && <Primitive.Arrow className={styles.arrow} width={8} height={ARROW_PX} />}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Names the tooltip as the description of its trigger while it shows, beside a description the trigger has already. */
function useDescription(trigger: HTMLElement, id: string): void {
  useLayoutEffect(() => {
    const own = trigger.getAttribute("aria-describedby");
    trigger.setAttribute("aria-describedby", own === null ? id : `${own} ${id}`);
    return () => {
      if (own === null) trigger.removeAttribute("aria-describedby");
      else trigger.setAttribute("aria-describedby", own);
    };
  }, [trigger, id]);
}
