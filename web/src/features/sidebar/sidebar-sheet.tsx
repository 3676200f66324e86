import { Dialog } from "radix-ui";
import { useRef } from "react";
import { useSider } from "../../hooks/use-sider.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { useBackCloses } from "../../ui/layers.ts";
import hidden from "../../ui/visually-hidden.module.css";
import { SidebarColumn } from "./sidebar-column.tsx";
import styles from "./sidebar-sheet.module.css";
import type { SidebarProps } from "./sidebar-props.ts";

/** The sidebar of the small view: a sheet over the page that goes away with the choice made in it. */
export function SidebarSheet(props: SidebarProps) {
  const { t } = useTexts();
  const { sheetOpen, closeSheet } = useSider();
  const focusedBefore = useRef<Element | null>(null);
  useBackCloses(sheetOpen, closeSheet);

  const newChat = props.onNewChat;
  return (
    <Dialog.Root open={sheetOpen} onOpenChange={(open) => !open && closeSheet()}>
      <Dialog.Portal>
        <Dialog.Content
          className={styles.mask}
          data-mask
          aria-describedby={undefined}
          onOpenAutoFocus={() => {
            focusedBefore.current = document.activeElement;
          }}
          onCloseAutoFocus={() =>
            focusedBefore.current instanceof HTMLElement && focusedBefore.current.focus()
          }
          // In a row's title it gives up that title alone.
          onEscapeKeyDown={(event) => event.target instanceof HTMLInputElement && event.preventDefault()}
          onPointerDown={(event) => event.target === event.currentTarget && closeSheet()}
        >
          <Dialog.Title className={hidden.hidden}>{t("sidebar.label")}</Dialog.Title>
          <div className={styles.sheet}>
            <SidebarColumn
              {...props}
              onNewChat={
                newChat &&
                (() => {
                  newChat();
                  closeSheet();
                })
              }
            />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
