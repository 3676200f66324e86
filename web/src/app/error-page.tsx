import { Component, type ReactNode } from "react";
import { isDebugMode } from "../hooks/debug-mode.ts";
import { translate } from "../i18n/i18n.ts";
import { Button } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";
import { isDomFault, RESET_AFTER_MS, takeReset } from "./dom-fault.ts";
import styles from "./error-page.module.css";

interface ErrorState {
  error: Error | null;
  /** The page is about to load itself again. */
  resetting: boolean;
}

/** Catches a crash of the screen and offers to load it again; what was typed is kept by the engine. */
export class ErrorBoundary extends Component<{ children: ReactNode }, ErrorState> {
  override state: ErrorState = { error: null, resetting: false };

  static getDerivedStateFromError(error: unknown): Pick<ErrorState, "error"> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown): void {
    window.dispatchEvent(new CustomEvent("screen-crash", { detail: error }));
    if (!isDomFault(error) || !takeReset(() => window.sessionStorage)) return;
    this.setState({ resetting: true });
    setTimeout(() => window.location.reload(), RESET_AFTER_MS);
  }

  override render(): ReactNode {
    const { error, resetting } = this.state;
    if (error === null) return this.props.children;
    return (
      <main className={styles.page}>
        <div className={styles.notice} role="alert">
          <Mark size={32} />
          <h1 className={styles.title}>{translate(resetting ? "errorPage.resetting" : "errorPage.title")}</h1>
          {!resetting && this.explanation(error)}
        </div>
      </main>
    );
  }

  private explanation(error: Error): ReactNode {
    return (
      <>
        <p>{translate("errorPage.text")}</p>
        {isDebugMode() && <pre className={styles.details}>{error.stack ?? error.message}</pre>}
        <Button variant="primary" size="large" onClick={() => window.location.reload()}>
          {translate("errorPage.reload")}
        </Button>
        <Button variant="ghost" onClick={() => this.setState({ error: null })}>
          {translate("common.cancel")}
        </Button>
      </>
    );
  }
}
