import { memo, useContext } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import styles from "./code-block.module.css";
import { NarrowContext } from "./use-narrow.ts";

interface BarWordProps {
  icon: IconName;
  word: string;
  /** Whether a change of the word is said to those who hear it. */
  live?: boolean;
}

/** The word of a press in the bar of a block; on a phone its icon, and the word only for those who hear it. */
export const BarWord = memo(function BarWord({ icon, word, live = false }: BarWordProps) {
  const narrow = useContext(NarrowContext);
  if (!narrow && !live) return word;
  return (
    <>
      {narrow && <Icon name={icon} small />}
      <span className={narrow ? styles.heard : undefined} aria-live={live ? "polite" : undefined}>
        {word}
      </span>
    </>
  );
});
