// Client configuration and fixed assets (wire-contract.md §6).
import * as z from "zod/mini";
import type { CaptchaMode, CaptchaRegion } from "../rules/captcha-services.ts";
import type { Edition, SignInMethod, SignUpMethod } from "../rules/edition-rules.ts";
import { LIMITS } from "../limits.ts";
import { defineCall } from "./call.ts";
import { maybe, nothing, text } from "./fields.ts";

/** A text per locale name. */
export type LocaleTexts = Record<string, string>;

/** Per locale; null hides the link. */
export interface Links {
  terms_of_use: string | null;
  privacy_policy: string | null;
  open_platform: string | null;
  open_platform_terms: string | null;
  third_party_sharing: string | null;
  account_deletion: string | null;
  app_permissions: string | null;
  faq: string | null;
  icp: string | null;
  icp_text: string | null;
  filing: string | null;
  wechat_qr: string | null;
  contact_email: string | null;
}

/** What gives a clearance where bots are challenged; a service's own names are those of the captcha. */
export interface ChallengeSettings {
  provider: Exclude<CaptchaMode, "none">;
  /** Null for our own puzzle; Shumei has other names for a site. */
  site_key: string | null;
  script_url: string | null;
}

export interface CaptchaSettings {
  mode: CaptchaMode;
  site_key: string | null;
  organization: string | null;
  app_id: string | null;
  script_url: string | null;
  region: CaptchaRegion;
  challenge: ChallengeSettings | null;
}

export interface SignInSettings {
  methods: SignInMethod[];
  sign_up: SignUpMethod[];
  sms_blocked: boolean;
  google_forced: boolean;
  wechat_app_id: string | null;
  registration: "open" | "invitation" | "closed";
  /** True for `open` alone. */
  registration_open: boolean;
  email_outbox: boolean;
  sms_outbox: boolean;
}

export interface AgentSettings {
  id: string;
  name: string;
  description: string;
  greeting: LocaleTexts;
  search: boolean;
  thinking: boolean;
  files: boolean;
}

/** A model to choose; the first is `default`. `thinking`: it can show its reasoning. */
export interface ModelSettings {
  id: string;
  name: string;
  thinking: boolean;
  /** Present where no model is connected: a demo answers, and says so. */
  demo?: true;
}

/** Units are those of the keys; `token_budget*` are tokens, `max_*` counts. */
export interface LimitSettings {
  max_files_per_session: number;
  max_file_bytes: number;
  max_file_name: number;
  upload_concurrency: number;
  file_poll_ms: number;
  extensions: string[];
  token_budget: number;
  token_budget_search: number;
  max_messages: number;
  title_max: number;
  session_page_size: number;
  share_page_size: number;
  chunk_gap_ms: number;
  chunk_gap_less_ms: number;
  chunk_check_ms: number;
  stream_timeout_ms: number;
  send_window_secs: number;
  characters_max: number;
  character_name_max: number;
  character_greeting_max: number;
  character_instructions_max: number;
}

/** The whole document of client/settings (§6.1). */
export interface ClientSettings {
  brand: { name: string; logo_url: string | null; default_title: LocaleTexts };
  app_id: string;
  deploy_env: "staging" | "production";
  edition: Edition;
  region: string | null;
  flags: Record<string, boolean>;
  ab_tests: Record<string, unknown>;
  captcha: CaptchaSettings;
  sign_in: SignInSettings;
  links: Record<string, Links>;
  limits: LimitSettings;
  search: { available: boolean };
  thinking: { available: boolean; quota: number };
  agents: AgentSettings[];
  models: ModelSettings[];
  characters: { available: boolean };
  support: {
    enabled: boolean;
    app_id: string | null;
    script_url: string | null;
    region: string;
    email: string | null;
  };
  analytics: {
    enabled: boolean;
    script_url: string | null;
    error_report_url: string | null;
    device_fingerprint_url: string | null;
  };
  cookie_banner: { regions: string[] };
  app_download: { ios: string | null; android: string | null; page: string | null };
  age_gate: { enabled: boolean; min_age: number };
  misc: {
    free_tokens_offer: number;
    desktop_scheme: string | null;
    unsafe_wrapper_agents: string[];
    native_bridge: string | null;
    static_base: string;
  };
}

/** `scope` is accepted and ignored: the whole document is always answered. */
export const clientSettings = defineCall<ClientSettings>()({
  method: "GET",
  path: "/api/v0/client/settings",
  auth: "none",
  request: z.object({ did: maybe(text(LIMITS.deviceIdChars)), scope: maybe(z.string()) }),
});

export const clientIpInfo = defineCall<{ ip: string; region: string | null }>()({
  method: "GET",
  path: "/api/v0/client/ip_info",
  auth: "none",
  request: nothing,
});

/** Any JSON array or object up to LIMITS.jsonBodyBytes; stored nowhere. */
export const clientSpan = defineCall<null>()({
  method: "POST",
  path: "/api/v0/client/span",
  auth: "optional",
  request: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
});

/** Plain text: the version of the web client alone. */
export const VERSION_PATH = "/version.txt";
/** Plain JSON: a Banner. */
export const STATUS_PATH = "/downloads/status.json";

export interface BannerItem {
  show: boolean;
  showCondition?: "authenticated" | "unauthenticated";
  showDeployEnv?: "staging" | "production";
  /** Empty or absent = all. */
  showByAppId?: string[];
  type: "info" | "warning" | "error";
  closable: boolean;
  /** Markdown with links, per locale. */
  content: LocaleTexts;
}

/** Id 0 = no banner. */
export interface Banner {
  id: string | number;
  items: BannerItem[];
}
