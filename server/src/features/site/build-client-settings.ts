// The document of client/settings (wire-contract.md §6.1), from the configuration and the model that answers now.
// Features that this server does not have are marked as not available.
import { budgetOf } from "@plumb/protocol/conversation/token-budget";
import { LIMITS } from "@plumb/protocol/limits";
import { editionRules, type Locale, LOCALES, type SignInMethod } from "@plumb/protocol/rules/edition-rules";
import { DEFAULT_MODEL } from "@plumb/protocol/wire/turns";
import type { ClientSettings, Links, ModelSettings } from "@plumb/protocol/wire/site";
import type { Config } from "../../config.ts";
import type { ModelProvider } from "../../ports/model-provider.ts";
import { COOKIE_BANNER_REGIONS, editionRegion } from "./regions.ts";

const NO_LINKS: Links = {
  terms_of_use: null,
  privacy_policy: null,
  open_platform: null,
  open_platform_terms: null,
  third_party_sharing: null,
  account_deletion: null,
  app_permissions: null,
  faq: null,
  icp: null,
  icp_text: null,
  filing: null,
  wechat_qr: null,
  contact_email: null,
};

/** Plain pages that come with the product, so that the terms people agree to always exist. */
function builtInPages(locale: Locale): Partial<Links> {
  const language = locale === "zh_CN" ? "zh" : "en";
  return {
    terms_of_use: `/static/legal/terms.${language}.html`,
    privacy_policy: `/static/legal/privacy.${language}.html`,
  };
}

/** The operator's links: an empty value hides one, and one that is not set leads to the built-in page. */
function linksOf(configured: Config["links"], locale: Locale): Links {
  const defaults = builtInPages(locale);
  const entries = Object.keys(NO_LINKS).map((key) => [
    key,
    Object.hasOwn(configured, key) ? configured[key] || null : (defaults[key as keyof Links] ?? null),
  ]);
  return Object.fromEntries(entries) as unknown as Links;
}

/** The default model and those that may be chosen instead; one that is the default one itself lends it its name. */
function modelsOf(provider: Pick<ModelProvider, "info" | "offered">): [ModelSettings, ...ModelSettings[]] {
  const { name, thinking } = provider.info();
  const offered = provider.offered();
  const twin = offered.find(({ id }) => id === name);
  return [
    { id: DEFAULT_MODEL, name: twin?.name ?? name, thinking },
    ...offered
      .filter((model) => model !== twin)
      .map((model) => ({ id: model.id, name: model.name, thinking: provider.info(model.id).thinking })),
  ];
}

/** Google's button shows abroad; in the mainland edition only where the operator's flag forces it (requirements 0§6). */
function googleForced({ google, flags }: Config): boolean {
  return google !== null && flags.forceGoogleSignIn;
}

/** Signing in through somebody else, as far as it is configured. */
function outsideMethods(config: Config): SignInMethod[] {
  const google = config.google !== null && (config.edition === "international" || googleForced(config));
  return google ? ["google"] : [];
}

export function buildClientSettings(
  config: Config,
  {
    model: provider,
    emailOutbox,
    extensions,
    search,
  }: {
    model: Pick<ModelProvider, "info" | "offered">;
    emailOutbox: boolean;
    /** Of files whose text can be read. */
    extensions: readonly string[];
    /** Things can be looked up in the web. */
    search: boolean;
  },
): ClientSettings {
  const models = modelsOf(provider);
  const [{ thinking }] = models;
  const contextTokens = Math.min(config.model.contextTokens, provider.info().contextTokens);
  const thinks = models.some((model) => model.thinking);
  return {
    brand: {
      name: config.brandName,
      logo_url: null,
      default_title: { en_US: "New chat", zh_CN: "新对话" },
    },
    app_id: "plumb-web",
    deploy_env: config.production ? "production" : "staging",
    edition: config.edition,
    region: editionRegion(config.edition),
    flags: config.flags,
    ab_tests: config.abTests,
    captcha: {
      mode: "none",
      site_key: null,
      organization: null,
      app_id: null,
      script_url: null,
      region: "CN",
      challenge: null,
    },
    sign_in: {
      methods: ["email_password", ...outsideMethods(config)],
      // The mainland edition refuses sign-up by e-mail, and there is no other way to sign up yet.
      sign_up: editionRules(config.edition).signUp.filter((method) => method === "email"),
      sms_blocked: false,
      google_forced: googleForced(config),
      wechat_app_id: null,
      registration_open: true,
      email_outbox: emailOutbox,
      sms_outbox: false,
    },
    links: Object.fromEntries(LOCALES.map((locale) => [locale, linksOf(config.links, locale)])),
    limits: {
      max_files_per_session: LIMITS.filesPerSession,
      max_file_bytes: LIMITS.fileBytes,
      max_file_name: LIMITS.fileNameChars,
      upload_concurrency: LIMITS.uploadConcurrency,
      file_poll_ms: LIMITS.filePollMs,
      extensions: [...extensions],
      token_budget: budgetOf(false, contextTokens),
      token_budget_search: budgetOf(true, contextTokens),
      max_messages: config.maxMessagesPerSession,
      title_max: LIMITS.titleChars,
      session_page_size: LIMITS.sessionPageDefault,
      share_page_size: LIMITS.sharePageDefault,
      chunk_gap_ms: LIMITS.chunkGapMs,
      chunk_gap_less_ms: LIMITS.chunkGapLessMs,
      chunk_check_ms: LIMITS.chunkCheckMs,
      stream_timeout_ms: LIMITS.streamTimeoutMs,
      send_window_secs: LIMITS.codeSendWindowSecs,
      characters_max: LIMITS.charactersMax,
      character_name_max: LIMITS.characterNameChars,
      character_greeting_max: LIMITS.characterGreetingChars,
      character_instructions_max: LIMITS.characterInstructionsChars,
    },
    search: { available: search },
    thinking: {
      available: thinking,
      quota: config.thinkingQuotaPerDay === 0 ? LIMITS.quotaUnlimited : config.thinkingQuotaPerDay,
    },
    agents: [
      {
        id: "chat",
        name: config.brandName,
        description: "",
        greeting: { en_US: "How can I help you?", zh_CN: "有什么可以帮你？" },
        search,
        thinking: thinks,
        files: true,
      },
      {
        id: "coder",
        name: "Coder",
        description: "",
        greeting: { en_US: "What shall we build?", zh_CN: "想写点什么代码？" },
        search,
        thinking: thinks,
        files: true,
      },
    ],
    models,
    characters: { available: true },
    support: {
      enabled: false,
      app_id: null,
      script_url: null,
      region: "CN",
      email: config.links.contact_email || null,
    },
    analytics: { enabled: false, script_url: null, error_report_url: null, device_fingerprint_url: null },
    cookie_banner: { regions: [...COOKIE_BANNER_REGIONS] },
    app_download: { ios: null, android: null, page: null },
    age_gate: { enabled: config.minAge !== null, min_age: config.minAge ?? LIMITS.ageGateMinYears },
    misc: {
      free_tokens_offer: config.freeTokensOffer,
      desktop_scheme: null,
      unsafe_wrapper_agents: [],
      native_bridge: config.nativeBridge,
      static_base: "/static",
    },
  };
}
