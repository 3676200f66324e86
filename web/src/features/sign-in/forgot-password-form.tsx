import type { BindingKind, BoundSince } from "@plumb/protocol/wire/bindings";
import { LIMITS } from "@plumb/protocol/limits";
import { identifierKind } from "@plumb/protocol/rules/sign-in-rules";
import { useEffect, useState, type FormEvent } from "react";
import { useLocation, useSearch } from "wouter";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { BoundSinceList } from "./bound-since-list.tsx";
import { CodeField } from "./code-field.tsx";
import { problemOf, problemsAmong } from "./form-problems.ts";
import styles from "./form.module.css";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { OtherWay } from "./other-way.tsx";
import { OutboxNotice } from "./outbox-notice.tsx";
import { useTypedIdentifier } from "./typed-identifier.ts";
import { useForm } from "./use-form.ts";
import { useSecondStep } from "./use-second-step.ts";
import { withWanted } from "./wanted-page.ts";

/** A forgotten password, in two steps: the code shows whose account it is, then a new one is set. */
export function ForgotPasswordForm() {
  const engine = useEngine();
  const second = useSecondStep();
  const typed = useTypedIdentifier();
  const [account, setAccount] = useState(() => ({
    identifier: typed.current || engine.accounts.askedFor("either"),
    code: "",
  }));
  const [boundSince, setBoundSince] = useState<readonly BoundSince[]>([]);
  function change(changed: Partial<Account>) {
    typed.current = changed.identifier ?? typed.current;
    // What was typed while a code was sent stays.
    setAccount((now) => ({ ...now, ...changed }));
    second.forget();
  }
  return second.isShown ? (
    <NewPasswordStep account={account} boundSince={boundSince} onBack={second.back} />
  ) : (
    <IdentifyStep
      account={account}
      onChange={change}
      onChecked={(found) => {
        setBoundSince(found);
        second.enter();
      }}
    />
  );
}

interface Account {
  identifier: string;
  code: string;
}

/** As the server compares it. */
const targetOf = ({ identifier }: Account) => identifier.trim();

/** By which a code comes. */
const channelOf = ({ identifier }: Account) => (identifierKind(identifier) === "phone" ? "sms" : "email");

interface IdentifyStepProps {
  account: Account;
  onChange: (changed: Partial<Account>) => void;
  /** With what was bound to the account since its owner last proved this target. */
  onChecked: (boundSince: readonly BoundSince[]) => void;
}

function IdentifyStep({ account, onChange, onChecked }: IdentifyStepProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const { identifier, code } = account;
  const form = useForm(["identifier", "code"] as const, {
    email: "identifier",
    mobile: "identifier",
    code: "code",
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = problemsAmong({
      identifier: problemOf.identifier(identifier),
      code: problemOf.code(code),
    });
    if (!form.accepts(wrong)) return;
    const target = targetOf(account);
    let found: readonly BoundSince[] = [];
    const isRight = await form.run(async () => {
      const checked = await engine.accounts.checkCode({ target, code });
      if (checked.ok) found = checked.boundSince;
      return checked;
    });
    if (!isRight) return;
    // Whatever was typed meanwhile: whose code was right gets a new password.
    onChange({ identifier, code });
    onChecked(found);
  }

  return (
    <form ref={form.form} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <OutboxNotice channel={channelOf(account)} />
      <TextField
        name="identifier"
        label={t("form.resetIdentifier")}
        maxLength={LIMITS.emailChars}
        value={identifier}
        error={form.errorOf("identifier")}
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        onChange={(event) => {
          onChange({ identifier: event.target.value });
          form.changed("identifier");
        }}
      />
      <CodeField
        value={code}
        error={form.errorOf("code")}
        onChange={(typed) => {
          onChange({ code: typed });
          form.changed("code");
        }}
        timer="either"
        channel={() => channelOf(account)}
        send={async () =>
          form.accepts(problemsAmong({ identifier: problemOf.identifier(identifier) }))
            ? engine.accounts.sendCode({
                target: targetOf(account),
                scenario: "reset_password",
                timer: "either",
              })
            : null
        }
        onRefused={form.took}
        onSent={() => {
          onChange({ code: "" });
          form.focus("code");
        }}
      />
      <div className={styles.error} role={form.problem === null ? undefined : "alert"}>
        {form.problem}
      </div>
      <Button className={styles.submit} variant="primary" size="large" type="submit" loading={form.busy}>
        {t("form.continue")}
      </Button>
      <OtherWay to="/sign_in" text={t("form.backToSignIn")} />
    </form>
  );
}

interface NewPasswordStepProps {
  account: Account;
  boundSince: readonly BoundSince[];
  onBack: () => void;
}

function NewPasswordStep({ account, boundSince, onBack }: NewPasswordStepProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const [, navigate] = useLocation();
  const search = useSearch();
  const [password, setPassword] = useState("");
  const [confirmation, setConfirmation] = useState("");
  // Ticked, although some of it may be the owner's own: who resets a password after a theft must not overlook what the thief has
  // left, and what goes by mistake can be bound again.
  const [unbind, setUnbind] = useState<readonly BindingKind[]>(() => boundSince.map(({ kind }) => kind));
  const [done, setDone] = useState(false);
  const form = useForm(["password", "confirmation"] as const, { password: "password" });

  useEffect(() => {
    if (!done) return;
    const next = withWanted("/sign_in", search);
    // In place of this step, which is over: Forward from the first one leads there.
    const timer = setTimeout(() => navigate(next, { replace: true }), LIMITS.forgotPasswordRedirectMs);
    return () => clearTimeout(timer);
  }, [done, navigate, search]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (done) return;
    const wrong = problemsAmong({
      password: problemOf.password(password),
      confirmation: problemOf.confirmation(confirmation, password),
    });
    if (!form.accepts(wrong)) return;
    const input = { target: targetOf(account), code: account.code, password, unbind };
    if (await form.run(() => engine.accounts.resetPassword(input))) setDone(true);
  }

  return (
    <form ref={form.form} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      {boundSince.length > 0 && <BoundSinceList bindings={boundSince} ticked={unbind} onTick={setUnbind} />}
      <NewPasswordFields
        labels={[t("form.newPassword"), t("form.newConfirmation")]}
        password={password}
        confirmation={confirmation}
        errors={[form.errorOf("password"), form.errorOf("confirmation")]}
        autoFocus
        onPassword={(typed) => {
          setPassword(typed);
          form.changed("password");
        }}
        onConfirmation={(typed) => {
          setConfirmation(typed);
          form.changed("confirmation");
        }}
      />
      <div className={styles.error}>
        {form.problem !== null && <span role="alert">{form.problem}</span>}
        <span className={styles.done} role="status">
          {done && t("form.resetDone")}
        </span>
      </div>
      <Button className={styles.submit} variant="primary" size="large" type="submit" loading={form.busy}>
        {t("form.resetSubmit")}
      </Button>
      <p className={styles.other}>
        <button type="button" className={styles.link} onClick={onBack}>
          {t("form.back")}
        </button>
      </p>
    </form>
  );
}
