import { useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { CodeField } from "./code-field.tsx";
import { problemOf, problemsAmong } from "./form-problems.ts";
import { PhoneField } from "./phone-field.tsx";
import type { Form } from "./use-form.ts";

/** What is typed into the two fields, and what is wrong with it. */
export function usePhoneCode() {
  const engine = useEngine();
  const [mobile, setMobile] = useState(() => engine.accounts.askedFor("sms"));
  const [code, setCode] = useState("");
  return {
    mobile,
    code,
    setMobile,
    setCode,
    problems: { mobile: problemOf.mobile(mobile), code: problemOf.code(code) },
  };
}

interface PhoneCodeFieldsProps {
  typed: ReturnType<typeof usePhoneCode>;
  form: Pick<Form<"mobile" | "code">, "errorOf" | "changed" | "accepts" | "took" | "focus">;
  /** What the code is for. */
  scenario: "login" | "bind_mobile";
}

/** A phone, and the code that is sent to it. */
export function PhoneCodeFields({ typed, form, scenario }: PhoneCodeFieldsProps) {
  const engine = useEngine();
  const { mobile, code, setMobile, setCode, problems } = typed;
  return (
    <>
      <PhoneField
        value={mobile}
        error={form.errorOf("mobile")}
        onChange={(digits) => {
          setMobile(digits);
          form.changed("mobile");
        }}
      />
      <CodeField
        value={code}
        error={form.errorOf("code")}
        onChange={(digits) => {
          setCode(digits);
          form.changed("code");
        }}
        timer="sms"
        channel={() => "sms"}
        send={async () =>
          form.accepts(problemsAmong({ mobile: problems.mobile }))
            ? engine.accounts.sendCode({ target: mobile, scenario, timer: "sms" })
            : null
        }
        onRefused={form.took}
        onSent={() => {
          setCode("");
          form.focus("code");
        }}
      />
    </>
  );
}
