import { useState } from "react";
import { useIsHere } from "./use-is-here.ts";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./dialog.tsx";

interface DeleteDialogProps extends Pick<
  DialogProps,
  "title" | "onClose" | "closeLabel" | "focusBack" | "focusInstead"
> {
  description: string;
  cancelLabel: string;
  deleteLabel: string;
  /** False = it is still there, which was said; the dialog stays. */
  onDelete: () => Promise<boolean>;
}

/** Asks before something is deleted, and closes once it is. */
export function DeleteDialog({ cancelLabel, deleteLabel, onDelete, ...dialog }: DeleteDialogProps) {
  const [deleting, setDeleting] = useState(false);
  const isHere = useIsHere();

  async function act() {
    setDeleting(true);
    const isGone = await onDelete();
    // Who has closed it may have another one open by now.
    if (!isHere()) return;
    setDeleting(false);
    if (isGone) dialog.onClose();
  }
  return (
    <Dialog
      open
      {...dialog}
      footer={
        <>
          <Button autoFocus onClick={dialog.onClose}>
            {cancelLabel}
          </Button>
          <Button variant="danger" loading={deleting} onClick={() => void act()}>
            {deleteLabel}
          </Button>
        </>
      }
    />
  );
}
