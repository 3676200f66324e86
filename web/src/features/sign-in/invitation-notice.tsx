import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./form.module.css";

interface InvitationNoticeProps {
  /** The server did not take it with the address that was typed: another address may still be the right one. */
  isRefused: boolean;
  /** It goes with a code. */
  asksCode: boolean;
  /** Goes on by a code. */
  onLeftOut: () => void;
}

/** That an invitation stands in for a code, or goes with it; once it was refused, which way is left without it. */
export function InvitationNotice({ isRefused, asksCode, onLeftOut }: InvitationNoticeProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const offer = useSelector(engine.site.settings, ({ settings }) => settings?.sign_in);
  let said = <span>{t(asksCode ? "form.invitedWithCode" : "form.invited")}</span>;
  if (isRefused && offer?.registration_open !== false)
    said = (
      <button type="button" className={styles.link} onClick={onLeftOut}>
        {t("form.withoutInvitation")}
      </button>
    );
  else if (isRefused)
    said = <span>{t(offer?.registration === "invitation" ? "form.closedText" : "registrationClosed")}</span>;
  return (
    <p className={styles.notice}>
      <Icon name="info" />
      {said}
    </p>
  );
}
