import type { Binding } from "@plumb/protocol/wire/account-security";
import type { User } from "@plumb/protocol/wire/accounts";
import type { BindingKind, RemovableKind } from "@plumb/protocol/wire/bindings";
import { useEffect, useState } from "react";
import type { OwnAccount } from "../../engine/accounts/own-account.ts";
import { useEngine } from "../../hooks/use-engine.tsx";
import { useOwnAccount } from "../../hooks/use-own-account.ts";
import { useSelector } from "../../hooks/use-selector.ts";
import type { TextKey } from "../../i18n/i18n.ts";
import { dayText } from "../../i18n/moment-text.ts";
import { useTexts } from "../../i18n/use-texts.ts";
import { Button } from "../../ui/button.tsx";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { SettingRow } from "./setting-row.tsx";

const KIND_TEXTS = {
  email: "account.email",
  phone: "account.phone",
  wechat: "account.wechat",
  google: "account.google",
} as const satisfies Record<BindingKind, TextKey>;
const PROVIDER_KINDS = { GOOGLE: "google", WECHAT: "wechat" } as const;

/** The ways into the account: what is known of them with the user shows at once, the rest when it comes. */
export function AccountBindings() {
  const { part, failed, retry } = useOwnAccount();
  if (part === null) return <BindingRows bindings={[]} ways={null} retry={failed ? retry : null} />;
  return <LoadedBindings ways={part.ways} />;
}

function LoadedBindings({ ways }: { ways: OwnAccount["ways"] }) {
  const engine = useEngine();
  const { bindings, failed } = useSelector(ways.store, (state) => state);
  const phone = useSelector(engine.accounts.auth, ({ user }) => user?.mobile_number);
  // Again where a phone was bound meanwhile.
  useEffect(() => void ways.load(), [ways, phone]);
  return (
    <BindingRows
      bindings={bindings ?? []}
      ways={ways}
      retry={failed && bindings === null ? () => void ways.load() : null}
    />
  );
}

interface BindingRowsProps {
  bindings: readonly Binding[];
  ways: OwnAccount["ways"] | null;
  /** Asks again for what could not be had. */
  retry: (() => void) | null;
}

function BindingRows({ bindings, ways, retry }: BindingRowsProps) {
  const engine = useEngine();
  const { t } = useTexts();
  const user = useSelector(engine.accounts.auth, (state) => state.user);
  // Where phones are of use: people sign in with them, or a verified one is asked for with a promise.
  const hasPhones = useSelector(engine.site.settings, ({ settings }) => {
    const methods = settings?.sign_in.methods ?? [];
    return methods.includes("sms_code") || (settings?.misc.free_tokens_offer ?? 0) > 0;
  });
  const isMainland = useSelector(engine.site.settings, ({ settings }) => settings?.edition === "mainland");
  const [removing, setRemoving] = useState<RemovableKind | null>(null);
  if (user === null) return null;
  const hasPhone = user.mobile_number !== "";
  const known = knownOf(user);
  const others = bindings.filter(({ kind }) => !known.some((one) => one.kind === kind));
  const rows = [...known, ...others].filter(({ kind }) => kind !== "email" || !isMainland);
  return (
    <>
      {rows.map(({ kind, label }) => {
        const binding = bindings.find((one) => one.kind === kind);
        const name = t(KIND_TEXTS[kind]);
        return (
          <SettingRow
            key={kind}
            label={name}
            note={
              <>
                <span>{binding?.label || label || t("account.none")}</span>
                {binding !== undefined && detailsOf(binding, t)}
              </>
            }
          >
            {kind === "phone" && !hasPhone && hasPhones && (
              <Button onClick={() => engine.site.setOverlays({ gate: "phone" })}>
                {t("account.verify")}
              </Button>
            )}
            {kind !== "email" && binding?.removable === true && (
              <Button aria-label={t("account.removeNamed", { name })} onClick={() => setRemoving(kind)}>
                {t("account.remove")}
              </Button>
            )}
          </SettingRow>
        );
      })}
      {retry !== null && (
        <SettingRow label={t("account.waysFailed")}>
          <Button onClick={retry}>{t("common.retry")}</Button>
        </SettingRow>
      )}
      {removing !== null && ways !== null && (
        <DeleteDialog
          title={t("account.removeTitle", { name: t(KIND_TEXTS[removing]) })}
          description={t("account.removeText")}
          closeLabel={t("common.close")}
          cancelLabel={t("common.cancel")}
          deleteLabel={t("account.remove")}
          onDelete={() => ways.remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </>
  );
}

/** What is known of the ways in without asking. */
function knownOf(user: User): { kind: BindingKind; label: string }[] {
  const ofProviders = user.id_profiles.map(({ provider, email, name }) => ({
    kind: PROVIDER_KINDS[provider],
    label: email ?? name ?? "",
  }));
  return [{ kind: "email", label: user.email }, { kind: "phone", label: user.mobile_number }, ...ofProviders];
}

/** Since when it is bound, and why it cannot be removed. An address never can. */
function detailsOf({ kind, bound_at: at, removable }: Binding, t: ReturnType<typeof useTexts>["t"]): string {
  const since = at === null ? "" : ` · ${t("account.since", { date: dayText(at) })}`;
  return kind === "email" || removable ? since : `${since} · ${t("account.lastWayIn")}`;
}
