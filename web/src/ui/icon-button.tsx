import type { ButtonHTMLAttributes, Ref } from "react";
import { cx } from "./cx.ts";
import styles from "./icon-button.module.css";
import { Icon, type IconName } from "./icon.tsx";
import { Tooltip, type TooltipProps } from "./tooltip.tsx";

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name. */
  label: string;
  /** The tooltip, where it is another text than the name. */
  tip?: string;
  icon: IconName;
  small?: boolean;
  side?: TooltipProps["side"];
  ref?: Ref<HTMLButtonElement>;
}

/** A ghost press without words. */
export function IconButton({
  label,
  tip = label,
  icon,
  small = false,
  side = "bottom",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={tip} side={side}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cx(styles.button, small && styles.small, className)}
      >
        <Icon name={icon} small={small} />
      </button>
    </Tooltip>
  );
}
