import { useState } from "react";
import { Link } from "wouter";
import { agentPath, DEFAULT_AGENT } from "../../engine/reactions.ts";
import { toggleDebugMode } from "../../hooks/debug-mode.ts";
import { tapCounter } from "../../hooks/tap-counter.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useModelInUse } from "../../hooks/use-models.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Mark } from "../../ui/mark.tsx";
import styles from "./welcome.module.css";

/** The mark, one friendly line and what runs here; five quick taps on it switch the debug mode. */
export function Welcome({ agentId }: { agentId: string }) {
  const engine = useEngine();
  const { t, locale } = useTexts();
  const [fifthTap] = useState(() => tapCounter());
  const greeting = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.agents.find((agent) => agent.id === agentId)?.greeting[locale],
  );
  const inUse = useModelInUse();
  const model = inUse?.name;
  const brand = useSelector(engine.site.settings, ({ settings }) => settings?.brand.name ?? "Plumb");
  // A line that is there from the start: what it says comes with the settings, and moves nothing.
  const said = inUse?.demo === true ? "welcome.demo" : "welcome.about";
  const about = model === undefined ? "\u00a0" : t(said, { brand, model });
  // As the server has them (wire-contract.md §6.1), so that they stay as they are when its settings come.
  const fallback = agentId === "coder" ? t("welcome.coder") : t("welcome.chat");
  return (
    <div className={styles.welcome}>
      <span className={styles.mark}>
        <Mark size={40} />
      </span>
      {/* The taps are for developers; nothing a keyboard user needs lies behind them. */}
      <h1 className={styles.line} onClick={(event) => fifthTap(event.timeStamp) && toggleDebugMode()}>
        {greeting === undefined || greeting === "" ? fallback : greeting}
      </h1>
      {agentId === DEFAULT_AGENT && (
        <p className={styles.about}>
          <Link href={agentPath("coder")}>{t("welcome.toCoder")}</Link>
        </p>
      )}
      <p className={styles.about}>{about}</p>
    </div>
  );
}
