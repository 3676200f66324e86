import { Link } from "wouter";
import { agentPath, DEFAULT_AGENT } from "../../engine/reactions.ts";
import { isStoredSession } from "../../engine/sessions/client-session.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useSession } from "../../hooks/use-session.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./new-chat-link.module.css";

/**
 * The way to a new chat with the same agent at the end of a conversation, above the input, in room that is there anyway. Not
 * while a reply is written. An experiment of the operator takes it away (requirements 0§3).
 */
export function NewChatLink({ sessionKey }: { sessionKey: string }) {
  const engine = useEngine();
  const { t } = useTexts();
  const idle = useSession(sessionKey, (session) => session.state === "idle", false);
  const agentId = useSession(sessionKey, (session) => session.agentId, DEFAULT_AGENT);
  const wanted = useSelector(
    engine.site.settings,
    ({ settings }) => settings?.ab_tests["show_new_chat_button_above_input"] !== false,
  );
  const isGone = useSelector(engine.agents.store, ({ gone }) => gone.includes(agentId));
  if (!idle || !wanted || isGone || !isStoredSession(sessionKey)) return null;
  return (
    <Link
      href={agentPath(agentId)}
      className={styles.link}
      data-uncopied=""
      onClick={() => engine.turns.setAside(agentId)}
    >
      <Icon name="newChat" small />
      {t("common.newChat")}
    </Link>
  );
}
