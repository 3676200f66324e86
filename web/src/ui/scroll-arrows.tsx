import { useEffect, useRef, useState, type ReactNode } from "react";
import { IconButton } from "./icon-button.tsx";
import styles from "./scroll-arrows.module.css";
import { scrollRoom, SCROLL_STEP } from "./scroll-room.ts";

interface ScrollArrowsProps {
  backLabel: string;
  onLabel: string;
  className?: string | undefined;
  /** The row, which is wider than there is room. */
  children: ReactNode;
}

/** A row that scrolls sideways, with an arrow at each end that has more, for who has a pointer and no sideways wheel. */
export function ScrollArrows({ backLabel, onLabel, className, children }: ScrollArrowsProps) {
  const row = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ back: false, on: false });
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    const look = () => setRoom(scrollRoom(element));
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  const go = (left: number) => row.current?.scrollBy({ left });
  return (
    <div className={className}>
      <div ref={row} className={styles.row}>
        {children}
      </div>
      {room.back && (
        <IconButton
          className={styles.back}
          label={backLabel}
          icon="chevronLeft"
          onClick={() => go(-SCROLL_STEP)}
        />
      )}
      {room.on && (
        <IconButton
          className={styles.on}
          label={onLabel}
          icon="chevronRight"
          onClick={() => go(SCROLL_STEP)}
        />
      )}
    </div>
  );
}
