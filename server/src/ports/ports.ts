// The bundle handed to createApp: everything the product needs from outside.
import type { Clock } from "./clock.ts";
import type { Mailer } from "./mailer.ts";
import type { ModelProvider } from "./model-provider.ts";

export interface Ports {
  clock: Clock;
  model: ModelProvider;
  mailer: Mailer;
}
