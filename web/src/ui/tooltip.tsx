import { Tooltip as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import styles from "./tooltip.module.css";
import { useLandmark } from "./use-landmark.ts";

/** Once, around everything that holds tooltips: 300 ms (0§9). */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={300} skipDelayDuration={300} disableHoverableContent>
      {children}
    </Primitive.Provider>
  );
}

export interface TooltipProps {
  text: string;
  children: ReactElement;
  side?: "top" | "right" | "bottom" | "left";
  /** Milliseconds before it shows; 300 when absent. */
  delay?: number;
}

/** A short explanation of its one child, on hover and on keyboard focus. */
export function Tooltip({ text, children, side = "top", delay }: TooltipProps) {
  const { landmark, onApproach } = useLandmark();
  return (
    <Primitive.Root {...(delay === undefined ? {} : { delayDuration: delay })}>
      <Primitive.Trigger asChild {...onApproach}>
        {children}
      </Primitive.Trigger>
      <Primitive.Portal container={landmark}>
        <Primitive.Content className={styles.tooltip} side={side} sideOffset={8} collisionPadding={8}>
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
