import { Dialog as Primitive } from "radix-ui";
import { useState } from "react";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useSelector } from "../../hooks/use-selector.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Mark } from "../../ui/mark.tsx";
import { AskedCaptcha } from "./asked-captcha.tsx";
import styles from "./challenge-overlay.module.css";

/**
 * What a bot challenge asks for, over the whole page: nothing goes on without it, so that nothing closes it but passing it, or its
 * failure. The page stays as it is beneath.
 */
export function ChallengeOverlay() {
  const { challenge } = useEngine();
  const asked = useSelector(challenge.store, (state) => state.asked);
  return asked === null ? null : <Overlay asked={asked} />;
}

function Overlay({ asked }: Pick<Parameters<typeof AskedCaptcha>[0], "asked">) {
  const { challenge } = useEngine();
  const { t } = useTexts();
  const [focusedBefore] = useState(() => document.activeElement);
  return (
    <Primitive.Root open>
      <Primitive.Portal>
        <Primitive.Content
          className={styles.overlay}
          onEscapeKeyDown={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (focusedBefore instanceof HTMLElement && focusedBefore.isConnected) focusedBefore.focus();
          }}
        >
          <div className={styles.column}>
            <span className={styles.mark}>
              <Mark size={32} />
            </span>
            <Primitive.Title className={styles.title}>{t("botChallenge")}</Primitive.Title>
            <Primitive.Description className={styles.about}>{t("challenge.about")}</Primitive.Description>
            <div className={styles.puzzle}>
              <AskedCaptcha face={challenge} asked={asked} />
            </div>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
