// Chooses the adapters from the settings; only what is chosen is loaded.
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Logger } from "../platform/logger.ts";
import { systemClock } from "../ports/clock.ts";
import type { ContentFilter } from "../ports/content-filter.ts";
import type { CaptchaVerifier } from "../ports/captcha-verifier.ts";
import type { OpenIdProvider, WechatLogin } from "../ports/identity-provider.ts";
import type { ModelProvider } from "../ports/model-provider.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { Ports } from "../ports/ports.ts";
import type { RiskClassifier } from "../ports/risk-classifier.ts";
import type { SearchProvider } from "../ports/search-provider.ts";
import type { IpRegions } from "../ports/ip-regions.ts";
import type { SmsSender } from "../ports/sms-sender.ts";
import { ProcessConversationReader } from "./conversation-reader/process-conversation-reader.ts";
import { PictureReader } from "./document-reader/picture-reader.ts";
import { ProcessDocumentReader } from "./document-reader/process-document-reader.ts";
import { createOutboxMailer } from "./mailer/outbox-mailer.ts";
import { createFolderObjectStore } from "./object-store/folder-object-store.ts";
import { createOutboxSmsSender } from "./sms-sender/outbox-sms-sender.ts";

/** Throws StartError when a chosen adapter cannot work (a missing model file, for one). Does not wait for an endpoint. */
export async function buildPorts(config: Config, log: Logger): Promise<Ports> {
  return {
    clock: systemClock,
    model: await buildModel(config, log),
    mailer: await buildMailer(config, log),
    smsSender: await buildSmsSender(config, log),
    captcha: await buildCaptcha(config, log),
    contentFilter: await buildContentFilter(config, log),
    conversationReader: new ProcessConversationReader(),
    documentReader: new ProcessDocumentReader({
      pictures: config.ocr === "off" ? null : new PictureReader(),
    }),
    google: await buildGoogle(config, log),
    wechat: await buildWechat(config),
    ipRegions: await buildIpRegions(config),
    objectStore: createFolderObjectStore(join(config.dataDir, "objects")),
    riskClassifier: await buildRiskClassifier(config),
    search: await buildSearch(config),
  };
}

async function buildMailer({ smtp, dataDir, brandName }: Config, log: Logger): Promise<Mailer> {
  if (smtp === null) return createOutboxMailer({ dataDir, log, clock: systemClock });
  const { createSmtpMailer } = await import("./mailer/smtp-mailer.ts");
  return createSmtpMailer({ ...smtp, brandName });
}

async function buildSmsSender({ smsWebhook, dataDir, brandName }: Config, log: Logger): Promise<SmsSender> {
  if (smsWebhook === null) return createOutboxSmsSender({ dataDir, log, clock: systemClock });
  const { WebhookSmsSender } = await import("./sms-sender/webhook-sms-sender.ts");
  return new WebhookSmsSender({ ...smsWebhook, brandName, clock: systemClock });
}

async function buildContentFilter({ contentFilter }: Config, log: Logger): Promise<ContentFilter | null> {
  const { kind, wordsFile, url } = contentFilter;
  if (kind === "words" && wordsFile !== null) {
    const { wordFilterOfFile } = await import("./content-filter/word-filter.ts");
    return wordFilterOfFile(wordsFile);
  }
  if (kind === "moderation" && url !== null) {
    const { ModerationEndpoint } = await import("./content-filter/moderation-endpoint.ts");
    const { createModerationFilter } = await import("./content-filter/moderation-filter.ts");
    const endpoint = new ModerationEndpoint({ ...contentFilter, url, log, clock: systemClock });
    return createModerationFilter(endpoint, systemClock);
  }
  return null;
}

async function buildCaptcha({ captcha }: Config, log: Logger): Promise<CaptchaVerifier | null> {
  const { mode, secret, siteKey, region, verifyUrl: url } = captcha;
  if (mode === "none" || mode === "slide" || secret === null) return null;
  const services = await import("./captcha-verifier/captcha-services.ts");
  if (mode === "turnstile") return services.createTurnstile({ secret, url, log });
  if (mode === "hcaptcha") return services.createHcaptcha({ secret, url, log, siteKey });
  return services.createShumei({ secret, url, log, region });
}

async function buildGoogle({ google }: Config, log: Logger): Promise<OpenIdProvider | null> {
  if (google === null) return null;
  const { createOpenIdConnect } = await import("./identity-provider/openid-connect.ts");
  return createOpenIdConnect({ ...google, log, clock: systemClock });
}

async function buildIpRegions({ ipRegions }: Config): Promise<IpRegions> {
  if (!ipRegions) return { regionOf: () => null };
  const { openTableOfRegions } = await import("./ip-regions/table-of-regions.ts");
  return openTableOfRegions();
}

async function buildWechat({ wechat }: Config): Promise<WechatLogin | null> {
  if (wechat === null) return null;
  const { createWechatLogin } = await import("./identity-provider/wechat.ts");
  return createWechatLogin(wechat);
}

async function buildRiskClassifier({ riskClassifier }: Config): Promise<RiskClassifier | null> {
  if (riskClassifier === "none") return null;
  const { createWordClassifier } = await import("./risk-classifier/word-classifier.ts");
  return createWordClassifier();
}

async function buildSearch({ search }: Config): Promise<SearchProvider | null> {
  const { provider, url, apiKey } = search;
  if (provider === "searxng" && url !== null) {
    const { createSearxngSearch } = await import("./search-provider/searxng-search.ts");
    return createSearxngSearch({ baseUrl: url, apiKey });
  }
  if (provider === "brave" && apiKey !== null) {
    const { createBraveSearch } = await import("./search-provider/brave-search.ts");
    return createBraveSearch({ baseUrl: url, apiKey });
  }
  if (provider === "tavily" && apiKey !== null) {
    const { createTavilySearch } = await import("./search-provider/tavily-search.ts");
    return createTavilySearch({ baseUrl: url, apiKey });
  }
  if (provider === "wikipedia") {
    const { createWikipediaSearch } = await import("./search-provider/wikipedia-search.ts");
    return createWikipediaSearch({ baseUrl: url });
  }
  return null;
}

/** The order in which a model is chosen: MODEL_BASE_URL, MODEL_PATH, an endpoint on this machine, the demo. */
async function buildModel({ model }: Config, log: Logger): Promise<ModelProvider> {
  if (model.baseUrl !== null) {
    const { OpenAiCompatibleModel } = await import("./model-provider/openai-compatible-model.ts");
    return new OpenAiCompatibleModel({ baseUrl: model.baseUrl, model, log });
  }
  if (model.path !== null) {
    const { EmbeddedModel } = await import("./model-provider/embedded-model.ts");
    const { path, contextTokens, stallMs } = model;
    return EmbeddedModel.create({ path, contextTokens, stallMs, log });
  }
  const { DemoModel } = await import("./model-provider/demo-model.ts");
  const demo = new DemoModel({ contextTokens: model.contextTokens });
  if (!model.autodetect) return demo;
  const { OpenAiCompatibleModel } = await import("./model-provider/openai-compatible-model.ts");
  const { findEndpoint } = await import("./model-provider/find-endpoint.ts");
  const { refusesConnections } = await import("./model-provider/refuses-connections.ts");
  const { SelectedModel } = await import("./model-provider/select-model.ts");
  return new SelectedModel({
    fallback: demo,
    find: () => findEndpoint(),
    isGone: (baseUrl) => refusesConnections(baseUrl),
    connect: (baseUrl) => new OpenAiCompatibleModel({ baseUrl, model, log }),
    log,
  });
}
