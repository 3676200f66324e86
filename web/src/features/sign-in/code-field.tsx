import { keepDigits } from "@plumb/protocol/rules/sign-in-rules";
import { useState } from "react";
import type { CodeKind } from "../../engine/accounts/asked-codes.ts";
import type { FormResult } from "../../engine/accounts/sign-in-failures.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { resultOf } from "./form-call.ts";
import styles from "./form.module.css";
import { useCaptchaGoes } from "./use-captcha-goes.ts";

interface CodeFieldProps {
  value: string;
  error: string | null;
  onChange: (code: string) => void;
  /** Whose countdown holds the button back. */
  timer: CodeKind;
  /** By which the code comes: what is said after it was sent depends on it. */
  channel: () => "email" | "sms";
  /** Null: something was wrong before it was sent, and has been said. */
  send: () => Promise<FormResult | null>;
  onRefused: (result: FormResult) => void;
  /** Another code makes the one before useless. */
  onSent: () => void;
}

/** A code with the button that asks for it, which rests while the countdown runs, and what happened with it. */
export function CodeField({ value, error, onChange, timer, channel, ...props }: CodeFieldProps) {
  const engine = useEngine();
  const { t } = useTexts();
  useCaptchaGoes();
  const [sending, setSending] = useState(false);
  const [sentBy, setSentBy] = useState<"email" | "sms" | null>(null);
  const secondsLeft = useSelector(engine.accounts.codeTimer, (state) => state[timer]);
  const offer = useSelector(engine.site.settings, ({ settings }) => settings?.sign_in);

  async function send() {
    setSending(true);
    const result = await resultOf(props.send);
    setSending(false);
    if (result === null) return;
    if (!result.ok) return props.onRefused(result);
    setSentBy(channel());
    props.onSent();
  }
  const inLog = sentBy === "email" ? offer?.email_outbox : offer?.sms_outbox;
  return (
    <TextField
      name="code"
      label={t("form.code")}
      value={value}
      error={error}
      inputMode="numeric"
      autoComplete="one-time-code"
      // Pasted codes come with blanks and words around them.
      onChange={(event) => onChange(keepDigits(event.target.value).slice(0, 6))}
      hint={
        <span role="status">{sentBy !== null && t(inLog === true ? "form.codeInLog" : "form.codeSent")}</span>
      }
      trailing={
        <Button
          className={styles.send}
          variant="ghost"
          loading={sending}
          disabled={secondsLeft > 0}
          onClick={() => void send()}
        >
          {secondsLeft > 0 ? t("form.sendAgainIn", { seconds: secondsLeft }) : t("form.sendCode")}
        </Button>
      }
    />
  );
}
