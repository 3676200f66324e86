// The settings and the user of the fake engine.
import { LIMITS } from "@plumb/protocol/limits";
import type { User } from "@plumb/protocol/wire/user";
import type { ClientSettings, Links } from "@plumb/protocol/wire/site";

export const fakeUser: User = {
  id: "0",
  token: "",
  email: "ma*****n@example.com",
  mobile_number: "",
  mobile: "",
  area_code: "",
  status: 0,
  id_profile: null,
  id_profiles: [],
  chat: { is_muted: 0, mute_until: null },
  has_legacy_chat_history: false,
  need_birthday: false,
};

const links: Links = {
  terms_of_use: "/terms",
  privacy_policy: "/privacy",
  open_platform: null,
  open_platform_terms: null,
  third_party_sharing: null,
  account_deletion: null,
  app_permissions: null,
  faq: "/faq",
  icp: null,
  icp_text: null,
  filing: null,
  wechat_qr: null,
  contact_email: "help@example.com",
};

/** Settings of a server with everything on; `outbox` = it has no mailer. */
export function fakeSettings(outbox: boolean): ClientSettings {
  const agent = { description: "", greeting: {}, search: true, thinking: true, files: false };
  return {
    brand: { name: "Plumb", logo_url: null, default_title: {} },
    agents: [
      { id: "chat", name: "Chat", ...agent },
      { id: "coder", name: "Coder", ...agent },
    ],
    flags: {},
    links: { en_US: links, zh_CN: links },
    search: { available: true },
    thinking: { available: true, quota: 50 },
    sign_in: {
      methods: ["email_password"],
      sign_up: ["email"],
      sms_blocked: false,
      google_forced: false,
      wechat_app_id: null,
      registration_open: true,
      email_outbox: outbox,
      sms_outbox: outbox,
    },
    limits: { title_max: LIMITS.titleChars },
    // The screen reads nothing else of the document.
  } as unknown as ClientSettings;
}
