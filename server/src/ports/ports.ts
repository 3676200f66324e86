// The bundle handed to createApp: everything the product needs from outside.
import type { CaptchaVerifier } from "./captcha-verifier.ts";
import type { Clock } from "./clock.ts";
import type { ContentFilter } from "./content-filter.ts";
import type { ConversationReader } from "./conversation-reader.ts";
import type { DocumentReader } from "./document-reader.ts";
import type { OpenIdProvider, WechatLogin } from "./identity-provider.ts";
import type { IpRegions } from "./ip-regions.ts";
import type { Mailer } from "./mailer.ts";
import type { ModelProvider } from "./model-provider.ts";
import type { ObjectStore } from "./object-store.ts";
import type { RiskClassifier } from "./risk-classifier.ts";
import type { SearchProvider } from "./search-provider.ts";
import type { SmsSender } from "./sms-sender.ts";

export interface Ports {
  clock: Clock;
  model: ModelProvider;
  mailer: Mailer;
  smsSender: SmsSender;
  /** Null: nobody is asked to show that they are a person. */
  captcha: CaptchaVerifier | null;
  /** Null: anything may be said. */
  contentFilter: ContentFilter | null;
  conversationReader: ConversationReader;
  documentReader: DocumentReader;
  /** Null: nobody signs in with Google. */
  google: OpenIdProvider | null;
  /** Null: nobody signs in with WeChat. */
  wechat: WechatLogin | null;
  ipRegions: IpRegions;
  /** Bytes and texts of files. */
  objectStore: ObjectStore;
  /** Null: no tips under answers. */
  riskClassifier: RiskClassifier | null;
  /** Null: nothing is looked up in the web. */
  search: SearchProvider | null;
}
