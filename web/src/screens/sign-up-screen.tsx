import { useState } from "react";
import styles from "../features/sign-in/form.module.css";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { OtherWay } from "../features/sign-in/other-way.tsx";
import { OutboxNotice } from "../features/sign-in/outbox-notice.tsx";
import { SignUpForm } from "../features/sign-in/sign-up-form.tsx";
import { useInvitation } from "../features/sign-in/use-invitation.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { SegmentedControl } from "../ui/segmented-control.tsx";
import { Spinner } from "../ui/spinner.tsx";

/** The form follows what the server offers in the visitor's region: it waits for the first answer, good or bad. */
export function SignUpScreen() {
  const engine = useEngine();
  const { t } = useTexts();
  const [invitation, forget] = useInvitation();
  const asked = useSelector(
    engine.site.settings,
    ({ settings, isKept, failed }) => (settings !== null && !isKept) || failed,
  );
  return (
    <FormFrame hasConsent title={t("form.signUpTitle")}>
      {asked ? (
        <OfferedSignUp invitation={invitation} forget={forget} />
      ) : (
        <div className={styles.waiting} role="status" aria-label={t("conversation.loading")}>
          <Spinner />
        </div>
      )}
    </FormFrame>
  );
}

interface OfferedSignUpProps {
  invitation: string | null;
  forget: () => void;
}

function OfferedSignUp({ invitation, forget }: OfferedSignUpProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const offer = useSelector(engine.site.settings, ({ settings }) => settings?.sign_in);
  const [chosen, setChosen] = useState<"email" | "mobile" | null>(null);
  const isOpen = offer?.registration_open !== false;
  if (invitation === null && !isOpen) {
    return (
      <>
        <p className={styles.other}>{t("registrationClosed")}</p>
        {offer?.registration === "invitation" && <p className={styles.other}>{t("form.closedText")}</p>}
        <OtherWay question={t("form.haveAccount")} to="/sign_in" text={t("form.signIn")} />
      </>
    );
  }
  const ways = offer?.sign_up ?? ["email"];
  const by = invitation === null ? (chosen ?? ways[0] ?? "email") : "email";
  return (
    <>
      {invitation === null && (
        <>
          {ways.length > 1 && (
            <div className={styles.ways}>
              <SegmentedControl
                label={t("form.signUpBy")}
                value={by}
                options={ways.map((way) => ({
                  value: way,
                  label: t(way === "email" ? "form.byEmail" : "form.byPhone"),
                }))}
                onChange={setChosen}
              />
            </div>
          )}
          <OutboxNotice channel={by === "email" ? "email" : "sms"} />
        </>
      )}
      <SignUpForm key={by} by={by} invitation={invitation} forgetInvitation={forget} />
    </>
  );
}
