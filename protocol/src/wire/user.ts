// The account as its owner sees it (wire-contract.md §3.1).

/** A third-party identity. `picture` is a URL. */
export interface Profile {
  provider: "GOOGLE" | "WECHAT";
  id: string;
  name: string;
  picture: string | null;
  locale: string | null;
  email: string | null;
}

/** `email` and the two equal phone fields are masked; "" = none. `mute_until` is unix seconds. */
export interface User {
  id: string;
  token: string;
  email: string;
  mobile_number: string;
  mobile: string;
  area_code: string;
  status: number;
  id_profile: Profile | null;
  id_profiles: Profile[];
  chat: { is_muted: 0 | 1; mute_until: number | null };
  has_legacy_chat_history: boolean;
  need_birthday: boolean;
}
