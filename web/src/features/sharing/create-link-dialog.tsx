import { Suspense } from "react";
import { carriesFiles, turnCount } from "../../engine/sharing/share-selection.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSharing } from "../../hooks/use-sharing.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import styles from "./create-link-dialog.module.css";
import { linkTo } from "./link-to.ts";

/** With the library that makes it, when there is a link. */
const qrCode = lazyPart(async () => (await import("../../ui/qr-code.tsx")).QrCode);

const copyLinkTo = (path: string) => copyText(linkTo(path));

/** Says what will be public, makes the link, and shows it. */
export function CreateLinkDialog() {
  const { createLink, selection } = useSharing();
  const { t } = useTexts();
  const state = useSelector(createLink.store, (now) => now);
  const count = useSelector(selection.store, turnCount);
  const hasFiles = useSelector(selection.store, carriesFiles);
  const create = () => void createLink.create(copyLinkTo);
  const isShown = state.phase === "shown";
  return (
    <Dialog
      open={state.phase !== "closed"}
      onClose={createLink.close}
      locked={state.phase === "creating"}
      title={t("shareCreate.title")}
      closeLabel={t("common.close")}
      {...(isShown
        ? {}
        : { description: t(hasFiles ? "shareCreate.aboutWithFiles" : "shareCreate.about", { count }) })}
      footer={
        isShown ? (
          <Button variant="primary" onClick={() => void createLink.copy(copyLinkTo)}>
            {t(state.isCopied ? "shareCreate.copied" : "shareCreate.copyLink")}
          </Button>
        ) : (
          <>
            <Button disabled={state.phase === "creating"} onClick={createLink.close}>
              {t("common.cancel")}
            </Button>
            <Button variant="primary" loading={state.phase === "creating"} onClick={create}>
              {t("shareCreate.create")}
            </Button>
          </>
        )
      }
    >
      {isShown && <Link path={state.path} isCopied={state.isCopied} />}
    </Dialog>
  );
}

function Link({ path, isCopied }: { path: string; isCopied: boolean }) {
  const { t } = useTexts();
  const link = linkTo(path);
  return (
    <>
      <input
        className={styles.link}
        readOnly
        value={link}
        aria-label={t("shareCreate.link")}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p className={styles.said} role="status">
        {isCopied ? t("shareCreate.copied") : ""}
      </p>
      <figure className={styles.code}>
        <Suspense fallback={<div className={styles.place} />}>
          <qrCode.Part text={link} label={t("shareCreate.qr")} />
        </Suspense>
        <figcaption className={styles.note}>{t("shareCreate.scan")}</figcaption>
      </figure>
      <p className={styles.note}>{t("shareCreate.revoke")}</p>
    </>
  );
}
