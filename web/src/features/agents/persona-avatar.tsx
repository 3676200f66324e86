import type { Character } from "@plumb/protocol/wire/agents";
import { cx } from "../../ui/cx.ts";
import { inkOn } from "./avatar-ink.ts";
import styles from "./persona-avatar.module.css";

interface PersonaAvatarProps {
  persona: Pick<Character, "avatar_text" | "avatar_color">;
  size: "small" | "medium" | "large";
}

/** A disc with one or two characters. Decorative: its name stands beside it. */
export function PersonaAvatar({ persona, size }: PersonaAvatarProps) {
  const { avatar_text: text, avatar_color: color } = persona;
  return (
    <span
      className={cx(styles.avatar, styles[size])}
      style={{ background: color, color: inkOn(color) }}
      aria-hidden="true"
    >
      {text}
    </span>
  );
}
