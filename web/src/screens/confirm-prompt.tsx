import type { ConfirmedAct } from "../engine/accounts/confirm-errand.ts";
import { ConfirmIdentityForm } from "../features/sign-in/confirm-identity-form.tsx";
import { useOwnAccount } from "../hooks/use-own-account.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Dialog } from "../ui/dialog.tsx";

/** Asks who has a signed-in page before them to show that the account is theirs: a token alone may be a stolen one. */
export function ConfirmPrompt({ act }: { act: ConfirmedAct }) {
  const { t } = useTexts();
  // Its code is here: it has opened this.
  const { part } = useOwnAccount();
  return (
    <Dialog
      open
      onClose={() => part?.confirm.dismiss()}
      title={t("confirm.title")}
      description={t("confirm.text")}
      closeLabel={t("common.close")}
    >
      {part !== null && <ConfirmIdentityForm account={part} act={act} />}
    </Dialog>
  );
}
