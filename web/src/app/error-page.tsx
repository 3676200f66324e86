import { Component, type ReactNode } from "react";
import { isDebugMode } from "../hooks/debug-mode.ts";
import { translate } from "../i18n/i18n.ts";
import { Button } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";
import styles from "./error-page.module.css";

/** Catches a crash of the screen and offers to load it again; what was typed is kept by the engine. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main className={styles.page} role="alert">
        <Mark size={32} />
        <h1 className={styles.title}>{translate("errorPage.title")}</h1>
        <p>{translate("errorPage.text")}</p>
        {isDebugMode() && <pre className={styles.details}>{error.stack ?? error.message}</pre>}
        <Button variant="primary" size="large" onClick={() => window.location.reload()}>
          {translate("errorPage.reload")}
        </Button>
      </main>
    );
  }
}
