import type { ConfirmationWay } from "@plumb/protocol/wire/account-security";
import { useEffect, useState, type FormEvent } from "react";
import { useLocation } from "wouter";
import { rememberErrand, type ConfirmedAct } from "../../engine/accounts/confirm-errand.ts";
import type { OwnAccount } from "../../engine/accounts/own-account.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { CodeField } from "./code-field.tsx";
import styles from "./confirm-identity-form.module.css";
import { problemOf, problemsAmong } from "./form-problems.ts";
import form from "./form.module.css";
import { GoogleMark } from "./google-mark.tsx";
import { PasswordField } from "./password-field.tsx";
import { useForm } from "./use-form.ts";
import { useGoogle } from "./use-google.ts";
import { WechatPanel } from "./wechat-panel.tsx";

const WAY_TEXTS = {
  password: "confirm.byPassword",
  email: "confirm.byEmail",
  sms: "confirm.bySms",
  GOOGLE: "confirm.byGoogle",
  WECHAT: "confirm.byWechat",
} as const satisfies Record<ConfirmationWay, TextKey>;

interface ConfirmIdentityFormProps {
  account: Pick<OwnAccount, "confirm" | "ways">;
  /** What the user is about to do. */
  act: ConfirmedAct;
}

/** Shows one of the ways in which the account can prove whose it is, and under it the others. */
export function ConfirmIdentityForm({ account, act }: ConfirmIdentityFormProps) {
  const { t } = useTexts();
  const { ways } = account;
  const { confirmations, failed } = useSelector(ways.store, (state) => state);
  const [chosen, setChosen] = useState<ConfirmationWay | null>(null);
  useEffect(() => void ways.load(), [ways]);
  if (confirmations === null)
    return failed ? (
      <div className={styles.state} role="alert">
        <p>{t("confirm.failed")}</p>
        <Button onClick={() => void ways.load()}>{t("common.retry")}</Button>
      </div>
    ) : (
      <div className={styles.state} role="status" aria-label={t("conversation.loading")}>
        <Spinner />
      </div>
    );
  // One that was chosen may be gone by now.
  const way = confirmations.find((one) => one === chosen) ?? confirmations[0];
  if (way === undefined) return <p className={styles.state}>{t("confirm.none")}</p>;
  return (
    <>
      {way === "password" && <PasswordWay account={account} />}
      {(way === "email" || way === "sms") && <CodeWay key={way} channel={way} account={account} />}
      {way === "GOOGLE" && <GoogleWay act={act} />}
      {way === "WECHAT" && <WechatWay act={act} />}
      {confirmations.length > 1 && (
        <div className={styles.others}>
          <div>{t("confirm.otherWays")}</div>
          {confirmations
            .filter((other) => other !== way)
            .map((other) => (
              <button key={other} type="button" className={form.link} onClick={() => setChosen(other)}>
                {t(WAY_TEXTS[other])}
              </button>
            ))}
        </div>
      )}
    </>
  );
}

type WayProps = Pick<ConfirmIdentityFormProps, "account">;

function PasswordWay({ account }: WayProps) {
  const { t } = useTexts();
  const [password, setPassword] = useState("");
  const { form: ref, ...state } = useForm(["password"] as const, { password: "password" });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!state.accepts(password === "" ? { password: "form.passwordEmpty" } : {})) return;
    void state.run(() => account.confirm.withPassword(password));
  }
  return (
    <form ref={ref} className={form.form} noValidate onSubmit={submit}>
      <PasswordField
        name="password"
        label={t("form.password")}
        value={password}
        error={state.errorOf("password") ?? state.problem}
        noteLines={2}
        autoComplete="current-password"
        autoFocus
        onChange={(event) => {
          setPassword(event.target.value);
          state.changed("password");
        }}
      />
      <Button variant="primary" size="large" type="submit" loading={state.busy}>
        {t("confirm.button")}
      </Button>
    </form>
  );
}

function CodeWay({ account, channel }: WayProps & { channel: "email" | "sms" }) {
  const { accounts } = useEngine();
  const { t } = useTexts();
  const [code, setCode] = useState("");
  const kind = channel === "email" ? "email" : "phone";
  const target = useSelector(
    account.ways.store,
    ({ bindings }) => bindings?.find((one) => one.kind === kind)?.label ?? "",
  );
  const { form: ref, ...state } = useForm(["code"] as const, { code: "code" });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!state.accepts(problemsAmong({ code: problemOf.code(code) }))) return;
    void state.run(() => account.confirm.withCode(channel, code));
  }
  return (
    <form ref={ref} className={form.form} noValidate onSubmit={submit}>
      <p className={styles.target}>{t("confirm.codeTo", { target })}</p>
      <CodeField
        value={code}
        error={state.errorOf("code")}
        onChange={(typed) => {
          setCode(typed);
          state.changed("code");
        }}
        timer={channel === "email" ? "ownEmail" : "ownPhone"}
        channel={() => channel}
        send={() => accounts.sendOwnCode(channel)}
        onRefused={state.took}
        onSent={() => {
          setCode("");
          state.focus("code");
        }}
      />
      <div className={styles.problem} role={state.problem === null ? undefined : "alert"}>
        {state.problem}
      </div>
      <Button variant="primary" size="large" type="submit" loading={state.busy}>
        {t("confirm.button")}
      </Button>
    </form>
  );
}

/** The page leaves for Google, and comes back to where it is. */
function GoogleWay({ act }: { act: ConfirmedAct }) {
  const { ofTab } = useEngine().accounts;
  const { t } = useTexts();
  const [path] = useLocation();
  const { leaving, leave } = useGoogle(path, () => rememberErrand(ofTab, act));
  return (
    <div className={form.form}>
      <p className={styles.target}>{t("confirm.elsewhere")}</p>
      <Button size="large" autoFocus loading={leaving} onClick={leave}>
        <GoogleMark />
        {t("form.withGoogle")}
      </Button>
    </div>
  );
}

/** A scan leads the page away without another press. */
function WechatWay({ act }: { act: ConfirmedAct }) {
  const { ofTab } = useEngine().accounts;
  const [path] = useLocation();
  useEffect(() => {
    rememberErrand(ofTab, act);
    return () => rememberErrand(ofTab, null);
  }, [ofTab, act]);
  return <WechatPanel target={path} />;
}
