import { useEffect, useState } from "react";
import { useSearch } from "wouter";
import styles from "../features/sign-in/form.module.css";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { GoogleButton } from "../features/sign-in/google-button.tsx";
import { PasswordForm } from "../features/sign-in/password-form.tsx";
import { RegionTip } from "../features/sign-in/region-tip.tsx";
import { WechatPanel } from "../features/sign-in/wechat-panel.tsx";
import { useRedirectToast } from "../features/sign-in/use-redirect-toast.ts";
import { useEngine } from "../hooks/use-engine.tsx";
import { useSelector } from "../hooks/use-selector.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { onFirstTouch, WhenHere } from "../ui/lazy-part.tsx";
import { SegmentedControl } from "../ui/segmented-control.tsx";
import { codeFormsPart } from "./form-parts.ts";

/** By password, or where the server offers it by a code; the way of the last time is shown first. */
export function SignInScreen() {
  const engine = useEngine();
  const { t } = useTexts();
  const offer = useSelector(engine.site.settings, ({ settings }) => settings?.sign_in);
  const lastWay = useSelector(engine.site.preferences, ({ loginMethod }) => loginMethod);
  const [chosen, setChosen] = useState<"code" | "password" | null>(null);
  const hasCode = offer?.methods.includes("sms_code") === true;
  const blocked = offer?.sms_blocked === true;
  const way = !hasCode || blocked ? "password" : (chosen ?? lastWay);
  // The other forms are here before somebody asks for them.
  useEffect(() => onFirstTouch(() => void codeFormsPart.preload()), []);
  const query = new URLSearchParams(useSearch());
  const target = query.get("redirect") ?? query.get("from") ?? "chat";
  const hasWechat = offer?.methods.includes("wechat") === true;
  useRedirectToast();
  return (
    <FormFrame
      hasConsent
      title={t("form.signInTitle")}
      aside={hasWechat ? <WechatPanel target={target} /> : undefined}
    >
      <RegionTip />
      {hasCode && (
        <div className={styles.ways}>
          <SegmentedControl
            label={t("form.signInBy")}
            value={way}
            options={[
              { value: "code", label: t("form.byCode"), disabled: blocked },
              { value: "password", label: t("form.byPassword") },
            ]}
            onChange={setChosen}
          />
        </div>
      )}
      {way === "code" ? (
        <WhenHere part={codeFormsPart} standIn={<div className={styles.codeRoom} />}>
          <codeFormsPart.Part form="sign-in">
            <GoogleButton target={target} />
          </codeFormsPart.Part>
        </WhenHere>
      ) : (
        // What is typed before the offer is known stays with it.
        <PasswordForm onTyped={() => setChosen("password")}>
          <GoogleButton target={target} />
        </PasswordForm>
      )}
    </FormFrame>
  );
}
