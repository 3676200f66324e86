import { useEffect, useEffectEvent, useRef } from "react";
import { selectionExtent, turnCount } from "../../engine/sharing/share-selection.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSharing } from "../../hooks/use-sharing.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { useBackCloses } from "../../ui/layers.ts";
import { CreateLinkDialog } from "./create-link-dialog.tsx";
import styles from "./share-selection.module.css";

/** What stands in the place of the header, or of the composer, while turns are chosen to be shared. */
export function ShareSelection({ show }: { show: "header" | "bar" }) {
  return show === "header" ? <SelectionHeader /> : <SelectionBar />;
}

function SelectionHeader() {
  const { selection } = useSharing();
  const { t } = useTexts();
  useBackCloses(true, selection.end);
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    const isElsewhere = document.activeElement?.closest("[role=dialog], [role=menu]") != null;
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || isElsewhere) return;
    selection.end();
  });
  useEffect(() => {
    window.addEventListener("keydown", onEscape);
    return () => window.removeEventListener("keydown", onEscape);
  }, []);
  return (
    <header className={styles.header}>
      <h2 className={styles.title}>{t("shareSelect.title")}</h2>
      <Button variant="ghost" className={styles.cancel} onClick={selection.end}>
        {t("common.cancel")}
      </Button>
    </header>
  );
}

function SelectionBar() {
  const { selection, createLink } = useSharing();
  const { t } = useTexts();
  const state = useSelector(selection.store, (now) => now);
  const count = turnCount(state);
  const extent = selectionExtent(state);
  const all = useRef<HTMLInputElement>(null);
  useEffect(() => all.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (all.current !== null) all.current.indeterminate = extent === "some";
  }, [extent]);
  return (
    <div className={styles.bar} role="group" aria-label={t("shareSelect.label")}>
      <label className={styles.all}>
        <input
          ref={all}
          type="checkbox"
          className={styles.box}
          checked={extent === "all"}
          disabled={state.selectable.size === 0}
          onChange={selection.toggleAll}
        />
        {t("shareSelect.all")}
      </label>
      <label className={styles.name}>
        <span>{t("shareSelect.titleField")}</span>
        <input
          className={styles.field}
          value={state.typedTitle ?? state.defaultTitle}
          placeholder={state.defaultTitle}
          disabled={count === 0}
          spellCheck={false}
          onChange={(event) => selection.typeTitle(event.target.value)}
          onBlur={selection.leaveTitle}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing) createLink.open();
          }}
        />
      </label>
      <span className={styles.count} role="status">
        {t("shareSelect.count", { count })}
      </span>
      <Button variant="primary" disabled={count === 0} onClick={createLink.open}>
        {t("shareSelect.create")}
      </Button>
      <CreateLinkDialog />
    </div>
  );
}
