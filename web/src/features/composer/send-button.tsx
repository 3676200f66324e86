import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import styles from "./send-button.module.css";

export type SendState = "send" | "blocked" | "loading" | "stop";

/** One round button for sending, waiting and stopping. It is never truly disabled, so that it keeps the focus. */
export function SendButton({ state }: { state: SendState }) {
  const { t } = useTexts();
  const label = {
    send: t("composer.send"),
    blocked: t("composer.sendBlocked"),
    loading: t("composer.sending"),
    stop: t("composer.stop"),
  }[state];
  const inert = state === "blocked" || state === "loading";
  return (
    <Tooltip text={label}>
      <button
        type="submit"
        className={styles.button}
        data-send={state}
        aria-label={state === "blocked" ? t("composer.send") : label}
        aria-disabled={inert}
      >
        {state === "loading" ? <Spinner /> : state === "stop" ? <StopSquare /> : <Icon name="arrowUp" />}
      </button>
    </Tooltip>
  );
}

function StopSquare() {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <rect x="6" y="6" width="12" height="12" rx="2.5" />
    </svg>
  );
}
