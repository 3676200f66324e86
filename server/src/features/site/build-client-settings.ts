// The document of client/settings (wire-contract.md §6.1), from the configuration and the model that answers now.
// Features that this server does not have are marked as not available.
import { budgetOf } from "@plumb/protocol/conversation/token-budget";
import { LIMITS } from "@plumb/protocol/limits";
import { captchaService, isWidget } from "@plumb/protocol/rules/captcha-services";
import { type Locale, LOCALES } from "@plumb/protocol/rules/edition-rules";
import { DEFAULT_MODEL } from "@plumb/protocol/wire/turns";
import type { ChallengeSettings, ClientSettings, Links, ModelSettings } from "@plumb/protocol/wire/site";
import type { Config } from "../../config.ts";
import type { ModelProvider } from "../../ports/model-provider.ts";
import type { Ports } from "../../ports/ports.ts";
import { signInSettings } from "./sign-in-settings.ts";

/** By the product's own static path, as all that it loads. */
const DEVICE_SCRIPT = "/static/device-id.js";

/** Plain pages that come with the product, so that what people agree to always exists; the editions' laws differ. */
function builtInPages({ edition }: Config, locale: Locale): Partial<Links> {
  const language = locale === "zh_CN" ? "zh" : "en";
  const folder = edition === "mainland" ? "/static/legal/mainland" : "/static/legal";
  return {
    terms_of_use: `${folder}/terms.${language}.html`,
    privacy_policy: `${folder}/privacy.${language}.html`,
  };
}

/** The operator's links of a language: an empty value hides one, and one that is not set leads to the built-in page. */
function linksOf(config: Config, locale: Locale): Links {
  const builtIn = builtInPages(config, locale);
  const links = Object.entries(config.links).map(([key, perLocale]) => {
    const given = perLocale[locale];
    return [key, given === undefined ? (builtIn[key as keyof Links] ?? null) : given];
  });
  return Object.fromEntries(links) as Links;
}

/** The default model and those that may be chosen instead; one that is the default one itself lends it its name. */
function modelsOf(provider: Pick<ModelProvider, "info" | "offered">): [ModelSettings, ...ModelSettings[]] {
  const { kind, name, thinking } = provider.info();
  const offered = provider.offered();
  const twin = offered.find(({ id }) => id === name);
  return [
    { id: DEFAULT_MODEL, name: twin?.name ?? name, thinking, ...(kind === "demo" ? { demo: true } : {}) },
    ...offered
      .filter((model) => model !== twin)
      .map((model) => ({ id: model.id, name: model.name, thinking: provider.info(model.id).thinking })),
  ];
}

/** What the page loads for the captcha; null where it loads nothing of others. */
function captchaScript({ mode, region, scriptUrl }: Config["captcha"]): string | null {
  const service = captchaService(mode, region);
  return service === null ? null : (scriptUrl ?? service.script);
}

/** What gives a clearance, as a page shows it. */
function challengeOf({ captcha }: Config, { provider }: NonNullable<Config["challenge"]>): ChallengeSettings {
  return { provider, site_key: captcha.siteKey, script_url: captchaScript(captcha) };
}

export function buildClientSettings(
  config: Config,
  {
    model: provider,
    senders,
    extensions,
    search,
    region,
  }: {
    model: Pick<ModelProvider, "info" | "offered">;
    senders: { [K in "mailer" | "smsSender"]: Pick<Ports[K], "kind"> };
    /** Of files whose text can be read. */
    extensions: readonly string[];
    /** Things can be looked up in the web. */
    search: boolean;
    /** The caller's. */
    region: string | null;
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
    region,
    flags: { ...config.flags, enableHcaptcha: config.flags.enableHcaptcha || isWidget(config.captcha.mode) },
    ab_tests: config.abTests,
    captcha: {
      mode: config.captcha.mode,
      site_key: config.captcha.siteKey,
      organization: config.captcha.organization,
      app_id: config.captcha.appId,
      script_url: captchaScript(config.captcha),
      region: config.captcha.region,
      challenge: config.challenge === null ? null : challengeOf(config, config.challenge),
    },
    sign_in: signInSettings(config, senders, region),
    links: Object.fromEntries(LOCALES.map((locale) => [locale, linksOf(config, locale)])),
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
      enabled: config.support !== null,
      app_id: config.support?.appId ?? null,
      script_url: config.support?.scriptUrl ?? null,
      // As the captcha's, whose services are offered by region (requirements 0§9).
      region: config.captcha.region,
      email: Object.values(config.links.contact_email).find((email) => email !== null) ?? null,
    },
    analytics: {
      enabled: config.analytics.scriptUrl !== null || config.analytics.spans,
      script_url: config.analytics.scriptUrl,
      error_report_url: config.analytics.errorReportUrl,
      device_fingerprint_url: config.analytics.device ? DEVICE_SCRIPT : null,
    },
    cookie_banner: { regions: [...config.cookieBannerRegions] },
    app_download: config.appDownload,
    age_gate: { enabled: config.minAge !== null, min_age: config.minAge ?? LIMITS.ageGateMinYears },
    misc: {
      free_tokens_offer: config.freeTokensOffer,
      desktop_scheme: config.desktopScheme,
      unsafe_wrapper_agents: [...config.unsafeWrappers],
      native_bridge: config.nativeBridge,
      static_base: "/static",
    },
  };
}
