import { useState } from "react";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** Says that something keeps requests of the page back. Comes at once, and once. */
export function AdBlockDialog() {
  const { t } = useTexts();
  const [open, setOpen] = useState(true);
  const close = (): void => setOpen(false);
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t("adBlock.title")}
      closeLabel={t("common.close")}
      description={t("adBlock.text")}
      footer={
        <>
          <Button onClick={close}>{t("adBlock.goOn")}</Button>
          <Button variant="primary" onClick={() => window.location.reload()}>
            {t("adBlock.reload")}
          </Button>
        </>
      }
    />
  );
}
