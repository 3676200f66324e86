import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import styles from "./send-button.module.css";

/** blocked: nothing can be sent; newChat: it is sent in a new one; loading: a send is on its way; wait, reload: the history is not there. */
export type SendState = "send" | "newChat" | "blocked" | "loading" | "wait" | "stop" | "reload";

/** One round button for sending, waiting, stopping and, where the history is missing, loading that again. It is never truly disabled, so that it keeps the focus. `reason`: why nothing can be sent. */
export function SendButton({ state, reason }: { state: SendState; reason: string | null }) {
  const { t } = useTexts();
  const label = {
    send: t("composer.send"),
    newChat: t("composer.newChat"),
    blocked: reason ?? t("composer.sendBlocked"),
    loading: t("composer.sending"),
    wait: t("composer.waiting"),
    stop: t("composer.stop"),
    reload: t("composer.reload"),
  }[state];
  const inert = state === "blocked" || state === "loading" || state === "wait";
  return (
    <Tooltip text={label}>
      <button
        type="submit"
        className={styles.button}
        data-send={state}
        aria-label={state === "blocked" ? t("composer.send") : label}
        aria-description={state === "blocked" ? label : undefined}
        aria-disabled={inert}
      >
        <Sign state={state} />
      </button>
    </Tooltip>
  );
}

function Sign({ state }: { state: SendState }) {
  switch (state) {
    case "loading":
      return <Spinner />;
    case "newChat":
      return <Icon name="newChat" />;
    case "stop":
      return <StopSquare />;
    case "reload":
      return <Icon name="retry" />;
    default:
      return <Icon name="arrowUp" />;
  }
}

function StopSquare() {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <rect x="6" y="6" width="12" height="12" rx="2.5" />
    </svg>
  );
}
