import { Link } from "wouter";
import { HOME } from "../engine/reactions.ts";
import { FormFrame } from "../features/sign-in/form-frame.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import styles from "./banned-screen.module.css";

/** What stands where a share cannot be read: it never was, or is not any more. */
export function ShareGoneScreen({ why }: { why: "share-missing" | "share-invalid" }) {
  const { t } = useTexts();
  const isMissing = why === "share-missing";
  return (
    <FormFrame title={t(isMissing ? "shareGone.missing" : "shareGone.invalid")}>
      <div className={styles.body}>
        <p>{t(isMissing ? "shareGone.missingText" : "shareGone.invalidText")}</p>
        <Link href={HOME} className={styles.home}>
          {t("shareGone.home")}
        </Link>
      </div>
    </FormFrame>
  );
}
