import type { User } from "@plumb/protocol/wire/accounts";

/** What an account is called: by its provider, which may give no name, else by its address or number. "" where it has none. */
export const nameOf = (user: User | null): string =>
  user?.id_profile?.name || user?.email || user?.mobile_number || "";
