import { useLayoutEffect, useRef, type RefObject } from "react";
import { LIMITS } from "@plumb/protocol/limits";
import { useTexts } from "../../i18n/use-texts.ts";
import hidden from "../../ui/visually-hidden.module.css";

interface SearchStandInProps {
  /** What was typed here so far. */
  typed: RefObject<string>;
  onCancel: () => void;
}

/** Takes what is typed while the search's code is on its way: it is meant for the search, not for the composer. */
export function SearchStandIn({ typed, onCancel }: SearchStandInProps) {
  const { t } = useTexts();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const { activeElement: before } = document;
    field.current?.focus();
    // The search gives the focus back to what has it now.
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <input
      ref={field}
      className={hidden.hidden}
      aria-label={t("sidebar.search")}
      maxLength={LIMITS.searchQueryChars}
      autoComplete="off"
      onChange={({ target }) => (typed.current = target.value)}
      onKeyDown={({ key, nativeEvent }) => {
        if (key !== "Escape" || nativeEvent.isComposing) return;
        typed.current = "";
        onCancel();
      }}
    />
  );
}
