import type { Share } from "@plumb/protocol/wire/sharing";
import { useEffect, useRef, useState } from "react";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSharing } from "../../hooks/use-sharing.ts";
import { momentText } from "../../i18n/moment-text.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import rows from "../../ui/dialog-rows.module.css";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LinkRow } from "./link-row.tsx";
import styles from "./shared-links.module.css";

/**
 * The user's shared links, with what can be done with each. It asks for the list when it comes on show; its texts are those
 * of i18n/sharing-texts.ts. Suspends while the engine's part comes.
 */
export function SharedLinks() {
  const { links } = useSharing();
  const { t, locale } = useTexts();
  const { state, links: shown, hasMore } = useSelector(links.store, (now) => now);
  const [deleting, setDeleting] = useState<Share | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const titleOf = ({ hint }: Share) => (hint === "" ? t("sidebar.untitled") : hint);
  useEffect(() => links.load(), [links]);

  if (shown.length === 0) {
    if (state === "error") return <Failed onRetry={links.retry} />;
    if (state === "loaded") return <p className={rows.state}>{t("shareLinks.empty")}</p>;
    return (
      <div className={rows.loading} role="status" aria-label={t("conversation.loading")}>
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} />
        ))}
      </div>
    );
  }
  return (
    <>
      <ul ref={list} className={rows.list} aria-label={t("shareLinks.label")} tabIndex={-1}>
        {shown.map((share) => (
          <LinkRow
            key={share.share_id}
            share={share}
            title={titleOf(share)}
            onDelete={() => setDeleting(share)}
          />
        ))}
      </ul>
      {state === "error" && <Failed onRetry={links.retry} />}
      {hasMore && state !== "error" && (
        <Button
          className={styles.more}
          variant="ghost"
          loading={state === "loading"}
          onClick={links.loadMore}
        >
          {t("shareLinks.more")}
        </Button>
      )}
      {deleting !== null && (
        <DeleteDialog
          title={t("shareLinks.deleteTitle")}
          description={t("shareLinks.deleteText", {
            title: titleOf(deleting),
            date: momentText(deleting.created_at, locale),
          })}
          closeLabel={t("common.close")}
          cancelLabel={t("common.cancel")}
          deleteLabel={t("common.delete")}
          onDelete={() => links.revoke(deleting.share_id)}
          onClose={() => setDeleting(null)}
          focusInstead={() => list.current}
        />
      )}
    </>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTexts();
  return (
    <div className={rows.state} role="alert">
      <p>{t("shareLinks.loadFailed")}</p>
      <Button onClick={onRetry}>{t("common.retry")}</Button>
    </div>
  );
}
