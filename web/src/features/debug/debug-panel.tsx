import { shownBranch } from "@plumb/protocol/conversation/message-tree";
import { toggleDebugMode } from "../../hooks/debug-mode.ts";
import { logQueue } from "../../hooks/log-queue.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./debug-panel.module.css";

const EVENTS_SHOWN = 100;
const LINES_SHOWN = 100;

/** For developers: where the page stands, what it logged, and with the flag enableEventsDisplay what the streams brought. */
export function DebugPanel({ sessionKey, version }: { sessionKey: string; version: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const settings = useSelector(engine.site.settings, (state) => state.settings);
  const events = useSelector(engine.site.streamEvents, (state) => state.events);
  const lines = useSelector(logQueue, (state) => state.lines);
  return (
    <aside className={styles.panel} aria-label={t("debug.title")} lang="en">
      <header className={styles.header}>
        <h2 className={styles.title}>{t("debug.title")}</h2>
        <IconButton small icon="close" label={t("common.close")} onClick={toggleDebugMode} />
      </header>
      <div className={styles.body} tabIndex={0} role="group" aria-label={t("debug.content")}>
        <pre>{[`version: ${version}`, ...useStateLines(sessionKey)].join("\n")}</pre>
        {settings?.flags["enableEventsDisplay"] === true && (
          <>
            <h3>{t("debug.events")}</h3>
            <pre>
              {events
                .slice(-EVENTS_SHOWN)
                .map((event) => JSON.stringify(event))
                .join("\n")}
            </pre>
          </>
        )}
        <h3>{t("debug.log")}</h3>
        <pre>
          {lines
            .slice(-LINES_SHOWN)
            .map(({ at, text }) => `${new Date(at).toISOString().slice(11, 23)} ${text}`)
            .join("\n")}
        </pre>
      </div>
    </aside>
  );
}

/** `name: value` of what tells one page from another. */
function useStateLines(sessionKey: string): string[] {
  const engine = useEngine();
  const settings = useSelector(engine.site.settings, (state) => state.settings);
  const locale = useSelector(engine.site.locale, (state) => state.locale);
  const online = useSelector(engine.site.network, (state) => state.online);
  const status = useSelector(engine.accounts.auth, (state) => state.status);
  const mutedUntil = useSelector(engine.accounts.mute, (state) => state.until);
  const session = useSelector(engine.sessions.store, ({ byId }) => byId[sessionKey]);
  const on = (values: Readonly<Record<string, unknown>> | undefined) =>
    Object.entries(values ?? {}).flatMap(([name, value]) =>
      value === false ? [] : [`${name}=${String(value)}`],
    );
  return [
    `server: ${settings === null ? "unknown" : `${settings.edition}, ${settings.deploy_env}`}`,
    `flags: ${on(settings?.flags).join(" ")}`,
    `tests: ${on(settings?.ab_tests).join(" ")}`,
    `models: ${(settings?.models ?? []).map(({ id, name }) => `${id} (${name})`).join(", ")}`,
    `page: ${locale}, ${online ? "online" : "offline"}, signed in: ${status}`,
    `muted until: ${mutedUntil === null ? "not muted" : new Date(mutedUntil * 1000).toISOString()}`,
    `session: ${sessionKey}`,
    `state: ${session === undefined ? "unknown" : `${session.state}, ${session.connection}`}`,
    `on show: ${session === undefined ? "" : shownBranch(session.tree).join(" › ")}`,
  ];
}
