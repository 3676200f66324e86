// What every feature factory is given.
import type { Config } from "../config.ts";
import type { EventBus } from "../events.ts";
import type { Ports } from "../ports/ports.ts";
import type { Database } from "./database/database.ts";
import type { Logger } from "./logger.ts";
import type { GuardedFetch } from "./http/guarded-fetch.ts";
import type { Metrics } from "./metrics.ts";

export interface Deps {
  config: Config;
  db: Database;
  ports: Ports;
  log: Logger;
  events: EventBus;
  metrics: Metrics;
  /** For addresses that are not the operator's. */
  fetchOutside: GuardedFetch;
  /** SECRET_KEY, or the one made once in DATA_DIR: keys of links and puzzles are derived from it. */
  secretKey: string;
}
