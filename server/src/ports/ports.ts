// The bundle handed to createApp: everything the product needs from outside.
import type { Clock } from "./clock.ts";
import type { ContentFilter } from "./content-filter.ts";
import type { ConversationReader } from "./conversation-reader.ts";
import type { DocumentReader } from "./document-reader.ts";
import type { OpenIdProvider } from "./identity-provider.ts";
import type { IpRegions } from "./ip-regions.ts";
import type { Mailer } from "./mailer.ts";
import type { ModelProvider } from "./model-provider.ts";
import type { ObjectStore } from "./object-store.ts";
import type { RiskClassifier } from "./risk-classifier.ts";
import type { SearchProvider } from "./search-provider.ts";

export interface Ports {
  clock: Clock;
  model: ModelProvider;
  mailer: Mailer;
  /** Null: anything may be said. */
  contentFilter: ContentFilter | null;
  conversationReader: ConversationReader;
  documentReader: DocumentReader;
  /** Null: nobody signs in with Google. */
  google: OpenIdProvider | null;
  ipRegions: IpRegions;
  /** Bytes and texts of files. */
  objectStore: ObjectStore;
  /** Null: no tips under answers. */
  riskClassifier: RiskClassifier | null;
  /** Null: nothing is looked up in the web. */
  search: SearchProvider | null;
}
