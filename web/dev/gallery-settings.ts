// The settings of the gallery's server: everything on.
import { LIMITS } from "@plumb/protocol/limits";
import type { Links } from "@plumb/protocol/wire/site";

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

/** What the screen reads of GET client/settings; `outbox` = the server has no mailer. */
export function gallerySettings({ outbox = false }: { outbox?: boolean } = {}): object {
  const agent = { description: "", greeting: {}, search: true, thinking: true, files: true };
  return {
    brand: { name: "Plumb", logo_url: null, default_title: {} },
    agents: [
      { id: "chat", name: "Chat", ...agent },
      { id: "coder", name: "Coder", ...agent },
    ],
    flags: {},
    ab_tests: {},
    links: { en_US: links, zh_CN: links },
    search: { available: true },
    characters: { available: true },
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
    models: [{ id: "default", name: "qwen3-32b", thinking: true }],
    limits: { title_max: LIMITS.titleChars },
    region: null,
    cookie_banner: { regions: [] },
    support: { enabled: false, app_id: null, script_url: null, region: "CN", email: null },
    analytics: { enabled: false, script_url: null, error_report_url: null, device_fingerprint_url: null },
    app_download: { ios: null, android: null, page: null },
    misc: { free_tokens_offer: 0, desktop_scheme: null, unsafe_wrapper_agents: [], native_bridge: null },
  };
}
