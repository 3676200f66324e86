// The ways into an account that can be bound to it and removed again (wire-contract.md §19.8, §19.9).

/** What an account is signed in to with. */
export const BINDING_KINDS = ["email", "phone", "wechat", "google"] as const;
export type BindingKind = (typeof BINDING_KINDS)[number];

/** What `unbind` takes: an address is removed by a reset alone. */
export const REMOVABLE_KINDS = ["phone", "wechat", "google"] as const;
export type RemovableKind = (typeof REMOVABLE_KINDS)[number];

/** Answer of every call that needs a confirmed identity, where the token's confirmation has ended. */
export const IdentityNotConfirmed = { code: 20, msg: "IDENTITY_NOT_CONFIRMED" } as const;

/** `label` is masked. `bound_at` is unix seconds; null = before servers kept it. */
export interface BoundSince {
  kind: BindingKind;
  label: string;
  bound_at: number | null;
}
